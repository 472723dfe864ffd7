// Tables: made, described, listed, waited for, changed, removed.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeEndpointsCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  paginateListTables,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { client, LIBRARY, newTable, patience, refusal } from "./library.mjs";

test("a new table is described as it was asked for", async (t) => {
  const TableName = await newTable(t);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  assert.equal(Table.TableStatus, "ACTIVE");
  assert.deepEqual(Table.KeySchema, LIBRARY.KeySchema);
  assert.deepEqual(new Set(Table.AttributeDefinitions), new Set(LIBRARY.AttributeDefinitions));
  assert.equal(Table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.ok(Table.CreationDateTime instanceof Date);
  assert.ok(Math.abs(Date.now() - Table.CreationDateTime) < 3_600_000, "seconds, not milliseconds");
  assert.match(Table.TableArn, new RegExp(`:table/${TableName}$`));
  assert.equal(Table.GlobalSecondaryIndexes[0].IndexStatus, "ACTIVE");
  assert.deepEqual(Table.LocalSecondaryIndexes[0].Projection, LIBRARY.LocalSecondaryIndexes[0].Projection);
});

test("the waiters see a table come and go", async (t) => {
  const TableName = await newTable(t);
  assert.equal((await waitUntilTableExists(patience, { TableName })).state, "SUCCESS");
  await client.send(new DeleteTableCommand({ TableName }));
  assert.equal((await waitUntilTableNotExists(patience, { TableName })).state, "SUCCESS");
  const error = await refusal(client.send(new DescribeTableCommand({ TableName })));
  assert.ok(error instanceof ResourceNotFoundException);
  assert.equal(error.message, `Requested resource not found: Table: ${TableName} not found`);
});

test("tables are listed in pages", async (t) => {
  const made = [await newTable(t), await newTable(t), await newTable(t)];
  const listed = [];
  for await (const page of paginateListTables({ client, pageSize: 2 }, {})) {
    assert.ok(page.TableNames.length <= 2);
    listed.push(...page.TableNames);
  }
  assert.deepEqual(listed, [...listed].sort());
  for (const name of made) assert.ok(listed.includes(name));
});

test("a name is taken once", async (t) => {
  const TableName = await newTable(t);
  const error = await refusal(client.send(new CreateTableCommand({ TableName, ...LIBRARY })));
  assert.ok(error instanceof ResourceInUseException);
  assert.match(error.message, /Table already exists: /);
});

test("the billing mode is changed", async (t) => {
  const { GlobalSecondaryIndexes, ...definition } = LIBRARY;
  definition.AttributeDefinitions = LIBRARY.AttributeDefinitions.filter(({ AttributeName }) =>
    ["PK", "SK", "Pages"].includes(AttributeName),
  );
  const TableName = await newTable(t, definition);
  const ProvisionedThroughput = { ReadCapacityUnits: 4, WriteCapacityUnits: 2 };
  await client.send(new UpdateTableCommand({ TableName, BillingMode: "PROVISIONED", ProvisionedThroughput }));
  await waitUntilTableExists(patience, { TableName });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 4);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 2);
});

test("the service describes itself", async () => {
  const { Endpoints } = await client.send(new DescribeEndpointsCommand({}));
  const address = new URL(process.env.AWS_ENDPOINT_URL_DYNAMODB).host;
  assert.deepEqual(Endpoints.map(({ Address }) => Address), [address]);
  assert.ok((await client.send(new DescribeLimitsCommand({}))).AccountMaxReadCapacityUnits > 0);
});
