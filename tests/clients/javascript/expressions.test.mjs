// Every function, operator and clause of the expressions, from the cases that all clients share.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { client, newTable, refusal } from "./library.mjs";

const cases = JSON.parse(await readFile(process.env.MONOTABLE_EXPRESSIONS, "utf8"));
const stored = typedItem(cases.item);
const Key = { PK: stored.PK, SK: stored.SK };

/** Bytes of a case are base64, as in JSON; the client takes and gives bytes. */
function typed(value) {
  const [[kind, content]] = Object.entries(value);
  const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
  switch (kind) {
    case "B":
      return { B: bytes(content) };
    case "BS":
      return { BS: content.map(bytes) };
    case "L":
      return { L: content.map(typed) };
    case "M":
      return { M: typedItem(content) };
    default:
      return value;
  }
}

function typedItem(item) {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, typed(value)]));
}

/** Sets have no order, and only tops of items are sets in the cases. */
function unordered(item) {
  const sorted = ([name, value]) => {
    const [[kind, content]] = Object.entries(value);
    return [name, ["SS", "NS", "BS"].includes(kind) ? { [kind]: [...content].sort() } : value];
  };
  return Object.fromEntries(Object.entries(item).map(sorted));
}

/** Only the placeholders that occur: DynamoDB refuses any other, and empty lists of them. */
function used(expression, placeholders, sign) {
  const found = new Set(expression.match(new RegExp(`${sign}\\w+`, "g")));
  const entries = Object.entries(placeholders ?? {}).filter(([name]) => found.has(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const placeholders = (expression, names, values) => ({
  ExpressionAttributeNames: used(expression, names, "#"),
  ExpressionAttributeValues: used(expression, values && typedItem(values), ":"),
});

async function holds(request) {
  try {
    await client.send(new PutItemCommand(request));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

test("conditions and filters", async (t) => {
  const TableName = await newTable(t);
  await client.send(new PutItemCommand({ TableName, Item: stored }));
  for (const { expression, holds: expected } of cases.conditions) {
    const given = placeholders(expression, cases.names, cases.values);
    const request = { TableName, Item: stored, ConditionExpression: expression, ...given };
    assert.equal(await holds(request), expected, expression);
    const { Count } = await client.send(new ScanCommand({ TableName, FilterExpression: expression, ...given }));
    assert.equal(Count, Number(expected), expression);
  }
});

test("updates", async (t) => {
  const TableName = await newTable(t);
  for (const { expression, names, values, changes } of cases.updates) {
    await client.send(new PutItemCommand({ TableName, Item: stored }));
    const { Attributes } = await client.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: expression,
        ReturnValues: "ALL_NEW",
        ...placeholders(expression, names, values),
      }),
    );
    const expected = Object.entries({ ...cases.item, ...changes }).filter(([, value]) => value !== null);
    assert.deepEqual(unordered(Attributes), unordered(typedItem(Object.fromEntries(expected))), expression);
  }
});

test("projections", async (t) => {
  const TableName = await newTable(t);
  await client.send(new PutItemCommand({ TableName, Item: stored }));
  for (const { expression, names, item } of cases.projections) {
    const request = { TableName, Key, ProjectionExpression: expression, ExpressionAttributeNames: names };
    const { Item } = await client.send(new GetItemCommand(request));
    assert.deepEqual(Item, typedItem(item), expression);
  }
});

test("wrong expressions are refused by name", async (t) => {
  const TableName = await newTable(t);
  for (const { expression, problem } of cases.refused) {
    const request = { TableName, Key, ConditionExpression: expression };
    const error = await refusal(client.send(new DeleteItemCommand(request)));
    assert.equal(error.name, "ValidationException");
    assert.ok(error.message.startsWith(`Invalid ConditionExpression: ${problem}; `), error.message);
  }
});
