// Signatures and refusals: known keys are let in, wrong secrets, unknown keys and wrong tokens are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DynamoDBClient, ListTablesCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { client, newTable, refusal } from "./library.mjs";

const INVALID_TOKEN = "The security token included in the request is invalid.";

const list = (credentials) => new DynamoDBClient({ credentials, maxAttempts: 1 }).send(new ListTablesCommand({}));

async function keys() {
  const { accessKeyId, secretAccessKey } = await client.config.credentials();
  return { accessKeyId, secretAccessKey };
}

async function temporaryKeys() {
  const { accessKeyId, secretAccessKey, sessionToken } = await new DynamoDBClient({
    profile: "temporary",
  }).config.credentials();
  return { accessKeyId, secretAccessKey, sessionToken };
}

test("the right secret is let in", async () => {
  assert.ok(Array.isArray((await list(await keys())).TableNames));
});

test("a wrong secret is refused", async () => {
  const right = await keys();
  const error = await refusal(list({ ...right, secretAccessKey: `${right.secretAccessKey}x` }));
  assert.equal(error.name, "InvalidSignatureException");
  assert.equal(error.$metadata.httpStatusCode, 400);
  assert.match(error.message, /^The request signature we calculated does not match the signature you provided\./);
  assert.ok(!error.message.includes(right.secretAccessKey));
});

test("an unknown key is refused", async () => {
  const error = await refusal(list({ ...(await keys()), accessKeyId: "AKIDNOBODY" }));
  assert.equal(error.name, "UnrecognizedClientException");
  assert.equal(error.message, INVALID_TOKEN);
});

test("a temporary key needs its token", async () => {
  const right = await temporaryKeys();
  assert.ok(right.sessionToken);
  assert.ok(Array.isArray((await list(right)).TableNames));
  for (const sessionToken of [undefined, `${right.sessionToken}x`]) {
    const error = await refusal(list({ ...right, sessionToken }));
    assert.equal(error.name, "UnrecognizedClientException");
    assert.equal(error.message, INVALID_TOKEN);
  }
});

test("an item without its key is refused", async (t) => {
  const TableName = await newTable(t);
  const error = await refusal(client.send(new PutItemCommand({ TableName, Item: { PK: { S: "a" } } })));
  assert.equal(error.name, "ValidationException");
  assert.equal(error.message, "One or more parameter values were invalid: Missing the key SK in the item");
  assert.equal(error.$fault, "client");
});
