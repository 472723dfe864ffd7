// Single items: every type there and back, returned values, conditions, consumed capacity.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  PutCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { client, documents, keyOf, loan, newTable, refusal } from "./library.mjs";

const Key = keyOf("ada", 1);

test("every type comes back as it went", async (t) => {
  const TableName = await newTable(t);
  const Item = {
    ...loan("ada", 1),
    Text: "Grüße, 世界 \u{1f4da}",
    Empty: "",
    Fraction: -0.25,
    Bytes: Uint8Array.from({ length: 256 }, (_, index) => index),
    Yes: true,
    No: false,
    Nothing: null,
    Words: new Set(["one", "two"]),
    Numbers: new Set([1, 2.5]),
    Blobs: new Set([Uint8Array.of(1), Uint8Array.of(2)]),
    List: ["a", 1, [null, { deep: [true] }]],
    Map: { "a.b": { "c d": [] }, empty: {} },
  };
  await documents.send(new PutCommand({ TableName, Item }));
  const found = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  assert.deepEqual(found.Item, Item);
});

test("numbers keep 38 digits", async (t) => {
  const TableName = await newTable(t);
  // A client of its own: options of a document client also change the client that it is made from.
  const exact = DynamoDBDocumentClient.from(new DynamoDBClient({}), { unmarshallOptions: { wrapNumbers: true } });
  const digits = "12345678901234567890123456789012345678";
  await exact.send(new PutCommand({ TableName, Item: { ...Key, N: NumberValue.from(digits) } }));
  const { Item } = await exact.send(new GetCommand({ TableName, Key }));
  assert.equal(Item.N.toString(), digits);
});

test("a number of 39 digits is refused", async (t) => {
  const TableName = await newTable(t);
  const Item = { PK: { S: "a" }, SK: { S: "b" }, N: { N: "1".repeat(39) } };
  const error = await refusal(client.send(new PutItemCommand({ TableName, Item })));
  assert.equal(error.name, "ValidationException");
  assert.match(error.message, /more than 38 significant digits/);
});

test("nothing is found where nothing is", async (t) => {
  const TableName = await newTable(t);
  assert.equal((await documents.send(new GetCommand({ TableName, Key }))).Item, undefined);
});

test("writes return what they are asked for", async (t) => {
  const TableName = await newTable(t);
  const [first, second] = [loan("ada", 1), loan("ada", 1, { Title: "Another" })];
  const put = (Item) => documents.send(new PutCommand({ TableName, Item, ReturnValues: "ALL_OLD" }));
  assert.equal((await put(first)).Attributes, undefined);
  assert.deepEqual((await put(second)).Attributes, first);
  const update = async (ReturnValues) => {
    const answer = await documents.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: "SET Pages = Pages + :one",
        ExpressionAttributeValues: { ":one": 1 },
        ReturnValues,
      }),
    );
    return answer.Attributes;
  };
  assert.equal(await update("NONE"), undefined);
  assert.deepEqual(await update("ALL_OLD"), { ...second, Pages: 1000 });
  assert.deepEqual(await update("UPDATED_OLD"), { Pages: 1001 });
  assert.deepEqual(await update("ALL_NEW"), { ...second, Pages: 1003 });
  assert.deepEqual(await update("UPDATED_NEW"), { Pages: 1004 });
  const remove = () => documents.send(new DeleteCommand({ TableName, Key, ReturnValues: "ALL_OLD" }));
  assert.deepEqual((await remove()).Attributes, { ...second, Pages: 1004 });
  assert.equal((await remove()).Attributes, undefined);
});

test("a failed condition is an exception with the item", async (t) => {
  const TableName = await newTable(t);
  await documents.send(new PutCommand({ TableName, Item: loan("ada", 1) }));
  const error = await refusal(
    client.send(
      new PutItemCommand({
        TableName,
        Item: { PK: { S: Key.PK }, SK: { S: Key.SK } },
        ConditionExpression: "attribute_not_exists(PK)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    ),
  );
  assert.ok(error instanceof ConditionalCheckFailedException);
  assert.equal(error.message, "The conditional request failed");
  assert.deepEqual(error.Item.Title, { S: "Volume 1" });
  assert.equal(error.$metadata.httpStatusCode, 400);
  assert.equal(error.$metadata.requestId.length, 52);
  assert.equal((await documents.send(new GetCommand({ TableName, Key }))).Item.Title, "Volume 1");
});

test("a condition that holds lets the write through", async (t) => {
  const TableName = await newTable(t);
  const ConditionExpression = "attribute_not_exists(PK)";
  await documents.send(new PutCommand({ TableName, Item: loan("ada", 1), ConditionExpression }));
  await documents.send(
    new DeleteCommand({
      TableName,
      Key,
      ConditionExpression: "Pages BETWEEN :low AND :high AND size(Title) = :eight",
      ExpressionAttributeValues: { ":low": 900, ":high": 999, ":eight": 8 },
    }),
  );
  assert.equal((await documents.send(new GetCommand({ TableName, Key }))).Item, undefined);
});

test("consumed capacity counts the indexes", async (t) => {
  const TableName = await newTable(t);
  const put = new PutCommand({ TableName, Item: loan("ada", 1), ReturnConsumedCapacity: "INDEXES" });
  const written = (await documents.send(put)).ConsumedCapacity;
  assert.equal(written.CapacityUnits, 3);
  assert.equal(written.GlobalSecondaryIndexes.ByBranch.CapacityUnits, 1);
  assert.equal(written.LocalSecondaryIndexes.ByPages.CapacityUnits, 1);
  const read = new GetItemCommand({
    TableName,
    Key: { PK: { S: Key.PK }, SK: { S: Key.SK } },
    ReturnConsumedCapacity: "TOTAL",
  });
  assert.deepEqual((await client.send(read)).ConsumedCapacity, { TableName, CapacityUnits: 0.5 });
});
