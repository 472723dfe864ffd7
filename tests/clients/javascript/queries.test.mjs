// Query and Scan: key conditions, order, indexes, pages, projections, counts, segments.

import assert from "node:assert/strict";
import { test } from "node:test";
import { paginateQuery, paginateScan, QueryCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { documents, keyOf, loan, newTable, numberOf, range, refusal, writeAll } from "./library.mjs";

/** Twelve loans of ada and one of each of three neighbours. */
async function shelf(t) {
  const TableName = await newTable(t);
  const neighbours = ["ad", "adam", "bob"].map((member) => loan(member, 1));
  await writeAll(TableName, [...range(1, 12).map((number) => loan("ada", number)), ...neighbours]);
  return TableName;
}

const query = (request) => documents.send(new QueryCommand(request));
const numbers = ({ Items }) => Items.map(numberOf);

/** All loans of ada, and a further condition on the sort key. */
const ofAda = (TableName, condition = "", values = {}) => ({
  TableName,
  KeyConditionExpression: `PK = :pk${condition && ` AND ${condition}`}`,
  ExpressionAttributeValues: { ":pk": "MEMBER#ada", ...values },
});

test("key conditions", async (t) => {
  const TableName = await shelf(t);
  const expected = [
    ["SK = :a", { ":a": "LOAN#0003" }, [3]],
    ["SK < :a", { ":a": "LOAN#0003" }, [1, 2]],
    ["SK <= :a", { ":a": "LOAN#0003" }, [1, 2, 3]],
    ["SK > :a", { ":a": "LOAN#0010" }, [11, 12]],
    ["SK >= :a", { ":a": "LOAN#0010" }, [10, 11, 12]],
    ["SK BETWEEN :a AND :b", { ":a": "LOAN#0004", ":b": "LOAN#0006" }, [4, 5, 6]],
    ["begins_with(SK, :a)", { ":a": "LOAN#001" }, [10, 11, 12]],
    ["begins_with(SK, :a)", { ":a": "CARD#" }, []],
  ];
  for (const [condition, values, found] of expected) {
    assert.deepEqual(numbers(await query(ofAda(TableName, condition, values))), found, condition);
  }
});

test("backwards, counted, filtered and projected", async (t) => {
  const TableName = await shelf(t);
  const all = ofAda(TableName);
  assert.deepEqual(numbers(await query({ ...all, ScanIndexForward: false, Limit: 3 })), [12, 11, 10]);
  const counted = await query({ ...all, Select: "COUNT" });
  assert.deepEqual([counted.Count, counted.Items], [12, undefined]);
  const filtered = await query({
    ...all,
    FilterExpression: "Branch = :hill",
    ExpressionAttributeValues: { ...all.ExpressionAttributeValues, ":hill": "Hill" },
  });
  assert.deepEqual(numbers(filtered), [3, 6, 9, 12]);
  assert.deepEqual([filtered.Count, filtered.ScannedCount], [4, 12]);
  const projected = await query({ ...all, ProjectionExpression: "SK, Pages", Limit: 1 });
  assert.deepEqual(projected.Items, [{ SK: "LOAN#0001", Pages: 999 }]);
});

test("Limit and LastEvaluatedKey", async (t) => {
  const TableName = await shelf(t);
  const first = await query({ ...ofAda(TableName), Limit: 7 });
  assert.deepEqual(numbers(first), range(1, 7));
  assert.deepEqual(first.LastEvaluatedKey, keyOf("ada", 7));
  const second = await query({ ...ofAda(TableName), Limit: 7, ExclusiveStartKey: first.LastEvaluatedKey });
  assert.deepEqual(numbers(second), range(8, 12));
  assert.equal(second.LastEvaluatedKey, undefined);
});

test("the paginator joins pages", async (t) => {
  const TableName = await shelf(t);
  const pages = [];
  for await (const page of paginateQuery({ client: documents, pageSize: 5 }, ofAda(TableName))) {
    pages.push(numbers(page));
  }
  assert.deepEqual(pages, [range(1, 5), range(6, 10), [11, 12]]);
});

test("a global index, its pages, and how it follows its table", async (t) => {
  const TableName = await shelf(t);
  const at = (branch) => ({
    TableName,
    IndexName: "ByBranch",
    KeyConditionExpression: "Branch = :branch AND Due >= :due",
    ExpressionAttributeValues: { ":branch": branch, ":due": "2031-01-01" },
  });
  const found = await query({ ...at("Hill"), ScanIndexForward: false, Limit: 3 });
  assert.deepEqual(numbers(found), [12, 9, 6]);
  assert.deepEqual(found.LastEvaluatedKey, { ...keyOf("ada", 6), Branch: "Hill", Due: "2031-01-06" });
  for (const item of found.Items) assert.deepEqual(Object.keys(item).sort(), ["Branch", "Due", "PK", "SK"]);
  const Key = keyOf("ada", 1);
  const move = { UpdateExpression: "SET Branch = :b", ExpressionAttributeValues: { ":b": "Sea" } };
  await documents.send(new UpdateCommand({ TableName, Key, ...move }));
  assert.deepEqual(numbers(await query(at("Sea"))), [1]);
  await documents.send(new UpdateCommand({ TableName, Key, UpdateExpression: "REMOVE Branch" }));
  assert.deepEqual(numbers(await query(at("Sea"))), []);
  const error = await refusal(query({ ...at("Hill"), ConsistentRead: true }));
  assert.equal(error.message, "Consistent reads are not supported on global secondary indexes");
});

test("a local index, with and without what it lacks", async (t) => {
  const TableName = await shelf(t);
  const request = {
    ...ofAda(TableName, "Pages BETWEEN :low AND :high", { ":low": 990, ":high": 992 }),
    IndexName: "ByPages",
    ConsistentRead: true,
  };
  const found = await query(request);
  assert.deepEqual(numbers(found), [10, 9, 8]);
  assert.deepEqual(Object.keys(found.Items[0]).sort(), ["PK", "Pages", "SK", "Title"]);
  const whole = await query({ ...request, Select: "ALL_ATTRIBUTES" });
  assert.equal(whole.Items[0].Due, "2031-01-10");
});

test("segments of a scan are disjoint and complete", async (t) => {
  const TableName = await shelf(t);
  const segments = await Promise.all(
    range(0, 3).map(async (Segment) => {
      const keys = [];
      const pages = paginateScan({ client: documents, pageSize: 2 }, { TableName, Segment, TotalSegments: 4 });
      for await (const { Items } of pages) keys.push(...Items.map(({ PK, SK }) => `${PK} ${SK}`));
      return keys;
    }),
  );
  const keys = segments.flat();
  assert.equal(keys.length, 15);
  assert.equal(new Set(keys).size, 15);
  // A partition is never divided between segments.
  const withAda = segments.filter((segment) => segment.some((key) => key.startsWith("MEMBER#ada ")));
  assert.equal(withAda.length, 1);
});

test("a page ends at one megabyte", async (t) => {
  const TableName = await newTable(t);
  await writeAll(TableName, range(1, 6).map((number) => ({ ...keyOf("ada", number), Text: "x".repeat(300_000) })));
  const page = await documents.send(new ScanCommand({ TableName }));
  assert.equal(page.Count, 4);
  assert.deepEqual(page.LastEvaluatedKey, keyOf("ada", 4));
});
