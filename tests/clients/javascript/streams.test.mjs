// Streams: consumers that wait for what comes, and follow a stream to its end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DescribeTableCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb-streams";
import { DeleteCommand, PutCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { client, documents, keyOf, LIBRARY, loan, newTable, numberOf, refusal } from "./library.mjs";

const streams = new DynamoDBStreamsClient({ maxAttempts: 1 });

/** Makes a table with a stream; gives back its name and the ARN of the stream. */
async function newStream(t, StreamViewType = "NEW_AND_OLD_IMAGES") {
  const TableName = await newTable(t, {
    ...LIBRARY,
    StreamSpecification: { StreamEnabled: true, StreamViewType },
  });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return { TableName, StreamArn: Table.LatestStreamArn };
}

async function shards(StreamArn) {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  return StreamDescription.Shards;
}

async function iteratorOf(StreamArn, ShardIteratorType) {
  const [{ ShardId }] = await shards(StreamArn);
  const answer = await streams.send(new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType }));
  return answer.ShardIterator;
}

/** The records from an iterator on, up to now or to the end of the shard. */
async function follow(ShardIterator) {
  const records = [];
  while (ShardIterator) {
    const page = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 2 }));
    records.push(...page.Records);
    if (page.Records.length === 0 && page.NextShardIterator) return { records, next: page.NextShardIterator };
    ShardIterator = page.NextShardIterator;
  }
  return { records, next: undefined };
}

const plain = (image) => image && unmarshall(image);

test("a stream tells what happened, in order", async (t) => {
  const { TableName, StreamArn } = await newStream(t);
  const put = (Item) => documents.send(new PutCommand({ TableName, Item }));
  await put(loan("ada", 1));
  await put(loan("ada", 1));
  await put(loan("ada", 1, { Title: "Another" }));
  await documents.send(new DeleteCommand({ TableName, Key: keyOf("ada", 1) }));
  const { records } = await follow(await iteratorOf(StreamArn, "TRIM_HORIZON"));
  assert.deepEqual(
    records.map((record) => record.eventName),
    ["INSERT", "MODIFY", "REMOVE"],
  );
  const changes = records.map((record) => record.dynamodb);
  assert.deepEqual(plain(changes[0].Keys), keyOf("ada", 1));
  assert.deepEqual(plain(changes[0].NewImage), loan("ada", 1));
  assert.deepEqual(plain(changes[1].OldImage), loan("ada", 1));
  assert.equal(plain(changes[2].OldImage).Title, "Another");
  assert.ok(changes[0].ApproximateCreationDateTime instanceof Date);
  assert.ok(Math.abs(Date.now() - changes[0].ApproximateCreationDateTime) < 3_600_000);
});

test("a consumer that waits gets what comes", async (t) => {
  const { TableName, StreamArn } = await newStream(t, "NEW_IMAGE");
  await documents.send(new PutCommand({ TableName, Item: loan("ada", 1) }));
  let next = await iteratorOf(StreamArn, "LATEST");
  const told = [];
  for (const number of [2, 3, 4]) {
    await documents.send(new PutCommand({ TableName, Item: loan("ada", number) }));
    const answer = await follow(next);
    told.push(...answer.records.map((record) => numberOf(plain(record.dynamodb.NewImage))));
    next = answer.next;
  }
  assert.deepEqual(told, [2, 3, 4]);
});

test("a transaction is told item by item", async (t) => {
  const { TableName, StreamArn } = await newStream(t, "KEYS_ONLY");
  const numbers = [5, 3, 9];
  const TransactItems = numbers.map((number) => ({ Put: { TableName, Item: loan("ada", number) } }));
  await documents.send(new TransactWriteCommand({ TransactItems }));
  const { records } = await follow(await iteratorOf(StreamArn, "TRIM_HORIZON"));
  assert.deepEqual(
    records.map((record) => numberOf(plain(record.dynamodb.Keys))),
    numbers,
  );
  assert.ok(records.every((record) => !record.dynamodb.NewImage));
});

test("a stream that is switched off is followed to its end", async (t) => {
  const { TableName, StreamArn } = await newStream(t);
  const begin = await iteratorOf(StreamArn, "TRIM_HORIZON");
  await documents.send(new PutCommand({ TableName, Item: loan("ada", 1) }));
  const StreamSpecification = { StreamEnabled: false };
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  await documents.send(new PutCommand({ TableName, Item: loan("ada", 2) }));
  const { records, next } = await follow(begin);
  assert.equal(records.length, 1);
  assert.equal(next, undefined);
  const [shard] = await shards(StreamArn);
  assert.ok(shard.SequenceNumberRange.EndingSequenceNumber > records[0].dynamodb.SequenceNumber);
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName }));
  assert.deepEqual(
    Streams.map((stream) => stream.StreamArn),
    [StreamArn],
  );
});

test("a stream that is not there is not found", async (t) => {
  const { StreamArn } = await newStream(t);
  const gone = StreamArn.replace(/stream\/.*/, "stream/2015-05-20T20:51:10.252");
  const error = await refusal(streams.send(new DescribeStreamCommand({ StreamArn: gone })));
  assert.ok(error instanceof ResourceNotFoundException);
  assert.equal(error.message, `Requested resource not found: Stream: ${gone} not found`);
});
