// Transactions: all or nothing, reasons in the order of the actions, tokens.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import {
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, ScanCommand, TransactGetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { client, documents, keyOf, loan, newTable, range, refusal, writeAll } from "./library.mjs";

const transact = (TransactItems, more) => documents.send(new TransactWriteCommand({ TransactItems, ...more }));
const ABSENT = "attribute_not_exists(PK)";
const PRESENT = "attribute_exists(PK)";

async function titles(TableName, numbers) {
  const read = (number) => documents.send(new GetCommand({ TableName, Key: keyOf("ada", number) }));
  const answers = await Promise.all(numbers.map(read));
  return answers.map(({ Item }) => Item?.Title);
}

test("all four actions take effect", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, range(1, 3).map((number) => loan("ada", number)));
  await transact([
    { Put: { TableName, Item: loan("ada", 4), ConditionExpression: ABSENT } },
    {
      Update: {
        TableName,
        Key: keyOf("ada", 1),
        UpdateExpression: "SET Title = :t",
        ExpressionAttributeValues: { ":t": "First" },
      },
    },
    { Delete: { TableName, Key: keyOf("ada", 2) } },
    { ConditionCheck: { TableName, Key: keyOf("ada", 3), ConditionExpression: PRESENT } },
  ]);
  assert.deepEqual(await titles(TableName, [1, 2, 3, 4]), ["First", undefined, "Volume 3", "Volume 4"]);
});

test("reasons are in the order of the actions", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, [loan("ada", 1), loan("ada", 2)]);
  const key = (number) => ({ PK: { S: keyOf("ada", number).PK }, SK: { S: keyOf("ada", number).SK } });
  const error = await refusal(
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: key(9) } },
          {
            Put: {
              TableName,
              Item: key(2),
              ConditionExpression: ABSENT,
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            },
          },
          { Delete: { TableName, Key: key(1) } },
          { ConditionCheck: { TableName, Key: key(8), ConditionExpression: PRESENT } },
        ],
      }),
    ),
  );
  assert.ok(error instanceof TransactionCanceledException);
  const failed = "ConditionalCheckFailed";
  assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", failed, "None", failed]);
  assert.equal(error.CancellationReasons[1].Message, "The conditional request failed");
  assert.deepEqual(error.CancellationReasons[1].Item.Title, { S: "Volume 2" });
  assert.equal(error.CancellationReasons[3].Item, undefined);
  assert.deepEqual(await titles(TableName, [1, 2, 9]), ["Volume 1", "Volume 2", undefined]);
});

test("the document client gets the reasons, too", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, [loan("ada", 1)]);
  const error = await refusal(transact([{ Put: { TableName, Item: loan("ada", 1), ConditionExpression: ABSENT } }]));
  assert.equal(error.name, "TransactionCanceledException");
  assert.equal(error.CancellationReasons[0].Code, "ConditionalCheckFailed");
});

test("a token makes a retry harmless", async (t) => {
  const TableName = await newTable(t);
  const ClientRequestToken = randomUUID();
  const visit = [
    {
      Update: {
        TableName,
        Key: keyOf("ada", 1),
        UpdateExpression: "ADD Visits :one",
        ExpressionAttributeValues: { ":one": 1 },
      },
    },
  ];
  await transact(visit, { ClientRequestToken });
  await transact(visit, { ClientRequestToken });
  const { Item } = await documents.send(new GetCommand({ TableName, Key: keyOf("ada", 1) }));
  assert.equal(Item.Visits, 1);
  const other = [{ Delete: { TableName, Key: keyOf("ada", 1) } }];
  const error = await refusal(transact(other, { ClientRequestToken }));
  assert.ok(error instanceof IdempotentParameterMismatchException);
});

test("reads come in order with gaps", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, [loan("ada", 1), loan("ada", 3)]);
  const get = (number, ProjectionExpression) => ({
    Get: { TableName, Key: keyOf("ada", number), ProjectionExpression },
  });
  const { Responses } = await documents.send(
    new TransactGetCommand({ TransactItems: [get(3, "Title"), get(2), get(1, "Pages")] }),
  );
  assert.deepEqual(Responses.map(({ Item }) => Item), [{ Title: "Volume 3" }, undefined, { Pages: 999 }]);
});

test("a hundred actions and no more", async (t) => {
  const TableName = await newTable(t);
  const puts = range(1, 101).map((number) => ({ Put: { TableName, Item: keyOf("ada", number) } }));
  await transact(puts.slice(0, 100));
  assert.equal((await documents.send(new ScanCommand({ TableName, Select: "COUNT" }))).Count, 100);
  assert.match((await refusal(transact(puts))).message, /less than or equal to 100/);
});
