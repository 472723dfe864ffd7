// The clients under test, the table of loans that most tests use, and what they put into it.
//
// `../run` sets the endpoint, the region and the file of access keys in the environment, as a user
// would: nothing here names a server.

import { randomUUID } from "node:crypto";
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

// Errors are to be seen at once, not after three attempts.
export const client = new DynamoDBClient({ maxAttempts: 1 });
export const documents = DynamoDBDocumentClient.from(client);

export const patience = { client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 };

const key = (hash, range) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

export const LIBRARY = {
  KeySchema: key("PK", "SK"),
  AttributeDefinitions: [
    ...["PK", "SK", "Branch", "Due"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    { AttributeName: "Pages", AttributeType: "N" },
  ],
  GlobalSecondaryIndexes: [
    { IndexName: "ByBranch", KeySchema: key("Branch", "Due"), Projection: { ProjectionType: "KEYS_ONLY" } },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: "ByPages",
      KeySchema: key("PK", "Pages"),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["Title"] },
    },
  ],
  BillingMode: "PAY_PER_REQUEST",
};

/** Makes a table with a name of its own, which is removed when the test has ended. */
export async function newTable(test, definition = LIBRARY) {
  const TableName = `javascript-${randomUUID()}`;
  await client.send(new CreateTableCommand({ TableName, ...definition }));
  test.after(() =>
    client.send(new DeleteTableCommand({ TableName })).catch((error) => {
      // The test may have removed it itself.
      if (error.name !== "ResourceNotFoundException") throw error;
    }),
  );
  await waitUntilTableExists(patience, { TableName });
  return TableName;
}

/** The key of a loan. */
export const keyOf = (member, number) => ({
  PK: `MEMBER#${member}`,
  SK: `LOAN#${String(number).padStart(4, "0")}`,
});

/** A loan: every third one is at the branch Hill. Due dates go up with the number, pages go down. */
export const loan = (member, number, more = {}) => ({
  ...keyOf(member, number),
  Title: `Volume ${number}`,
  Branch: number % 3 === 0 ? "Hill" : "Harbour",
  Due: `2031-01-${String(number).padStart(2, "0")}`,
  Pages: 1000 - number,
  ...more,
});

export const numberOf = (item) => Number(item.SK.slice("LOAN#".length));

/** The numbers from first to last. */
export const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Writes items, 25 at a time, and again whatever was not processed. */
export async function writeAll(TableName, items) {
  for (let start = 0; start < items.length; start += 25) {
    const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    let RequestItems = { [TableName]: puts };
    for (let attempt = 0; Object.keys(RequestItems).length > 0; attempt += 1) {
      if (attempt === 100) throw new Error("items are still unprocessed");
      const answer = await documents.send(new BatchWriteCommand({ RequestItems }));
      RequestItems = answer.UnprocessedItems ?? {};
    }
  }
}

/** The error that a call ends with. */
export async function refusal(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}
