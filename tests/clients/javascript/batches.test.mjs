// Batches: 25 writes, 100 reads, and what was left over sent again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BatchGetCommand, BatchWriteCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { documents, keyOf, loan, newTable, numberOf, range, refusal, writeAll } from "./library.mjs";

const ascending = (numbers) => numbers.sort((a, b) => a - b);

async function readAll(RequestItems) {
  const found = {};
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await documents.send(new BatchGetCommand({ RequestItems }));
    for (const [table, items] of Object.entries(answer.Responses)) (found[table] ??= []).push(...items);
    RequestItems = answer.UnprocessedKeys;
    if (Object.keys(RequestItems).length === 0) return found;
  }
  throw new Error("keys are still unprocessed");
}

test("writes and removals in one batch", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, [loan("ada", 1), loan("ada", 2)]);
  const answer = await documents.send(
    new BatchWriteCommand({
      RequestItems: {
        [TableName]: [{ DeleteRequest: { Key: keyOf("ada", 1) } }, { PutRequest: { Item: loan("ada", 3) } }],
      },
    }),
  );
  assert.deepEqual(answer.UnprocessedItems, {});
  const { Items } = await documents.send(new ScanCommand({ TableName }));
  assert.deepEqual(ascending(Items.map(numberOf)), [2, 3]);
});

test("reads of two tables", async (t) => {
  const [first, second] = [await newTable(t), await newTable(t)];
  await writeAll(first, range(1, 60).map((number) => loan("ada", number)));
  await writeAll(second, [loan("bob", 7)]);
  const found = await readAll({
    [first]: { Keys: range(1, 90).map((number) => keyOf("ada", number)), ProjectionExpression: "SK" },
    [second]: { Keys: [keyOf("bob", 7)], ConsistentRead: true },
  });
  assert.deepEqual(ascending(found[first].map(numberOf)), range(1, 60));
  assert.deepEqual(Object.keys(found[first][0]), ["SK"]);
  assert.deepEqual(found[second], [loan("bob", 7)]);
});

test("sixteen megabytes leave keys unprocessed", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, range(1, 45).map((number) => ({ ...keyOf("ada", number), Text: "x".repeat(399_000) })));
  const request = { [TableName]: { Keys: range(1, 45).map((number) => keyOf("ada", number)) } };
  const first = await documents.send(new BatchGetCommand({ RequestItems: request }));
  assert.ok(first.UnprocessedKeys[TableName].Keys.length > 0);
  const found = await readAll(request);
  assert.deepEqual(ascending(found[TableName].map(numberOf)), range(1, 45));
});

test("batches that are refused", async (t) => {
  const TableName = await newTable(t);
  const removals = (numbers) => numbers.map((number) => ({ DeleteRequest: { Key: keyOf("ada", number) } }));
  const send = (numbers) =>
    documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: removals(numbers) } }));
  assert.match((await refusal(send(range(1, 26)))).message, /less than or equal to 25/);
  assert.equal((await refusal(send([1, 1]))).message, "Provided list of item keys contains duplicates");
});
