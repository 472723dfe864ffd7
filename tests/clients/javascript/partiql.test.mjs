// PartiQL: statements, batches and transactions of them, by the client and by the document client.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import {
  DuplicateItemException,
  ExecuteStatementCommand as PlainExecuteStatementCommand,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  GetCommand,
} from "@aws-sdk/lib-dynamodb";
import { client, documents, keyOf, loan, newTable, numberOf, range, refusal, writeAll } from "./library.mjs";

const KEY = "PK = ? AND SK = ?";
const keyValues = (number) => Object.values(keyOf("ada", number));

async function filledTable(t) {
  const TableName = await newTable(t);
  await writeAll(TableName, range(1, 12).map((number) => loan("ada", number)));
  return TableName;
}

const execute = (Statement, Parameters, more) =>
  documents.send(new ExecuteStatementCommand({ Statement, ...(Parameters && { Parameters }), ...more }));

test("conditions choose items, and ORDER BY their order", async (t) => {
  const TableName = await filledTable(t);
  const select = async (condition) => {
    const { Items } = await execute(`SELECT * FROM "${TableName}" WHERE PK = ? AND ${condition}`, ["MEMBER#ada"]);
    return Items.map(numberOf);
  };
  assert.deepEqual(await select("SK BETWEEN 'LOAN#0004' AND 'LOAN#0006'"), [4, 5, 6]);
  assert.deepEqual(await select("Branch = 'Hill' AND NOT Pages > 994"), [6, 9, 12]);
  assert.deepEqual(await select("begins_with(SK, 'LOAN#001') ORDER BY SK DESC"), [12, 11, 10]);
  const byBranch = `SELECT SK FROM "${TableName}"."ByBranch" WHERE Branch IN ['Hill', 'Nowhere'] AND Due < ?`;
  const { Items } = await execute(byBranch, ["2031-01-07"]);
  assert.deepEqual(Items.map(numberOf), [3, 6]);
});

test("pages go on where they ended", async (t) => {
  const TableName = await filledTable(t);
  const found = [];
  let NextToken;
  do {
    const page = await execute(`SELECT * FROM "${TableName}"`, undefined, { Limit: 5, NextToken });
    found.push(...page.Items.map(numberOf));
    ({ NextToken } = page);
  } while (NextToken);
  assert.deepEqual(found, range(1, 12));
});

test("writes change one item, and return it", async (t) => {
  const TableName = await filledTable(t);
  const item = { ...keyOf("ada", 50), Marks: new Set(["a"]), Pair: [1, { x: null }] };
  const insert = `INSERT INTO "${TableName}" VALUE {'PK': ?, 'SK': ?, 'Marks': ?, 'Pair': [1, {'x': null}]}`;
  const values = [...keyValues(50), item.Marks];
  assert.deepEqual((await execute(insert, values)).Items, []);
  const stored = await documents.send(new GetCommand({ TableName, Key: keyOf("ada", 50) }));
  assert.deepEqual(stored.Item, item);
  assert.ok((await refusal(execute(insert, values))) instanceof DuplicateItemException);

  const update = `UPDATE "${TableName}" SET Marks = set_add(Marks, <<'b'>>) WHERE ${KEY} RETURNING MODIFIED NEW *`;
  assert.deepEqual((await execute(update, keyValues(50))).Items, [{ Marks: new Set(["a", "b"]) }]);
  const stopped = await refusal(execute(`DELETE FROM "${TableName}" WHERE ${KEY} AND Pair[0] = 2`, keyValues(50)));
  assert.equal(stopped.name, "ConditionalCheckFailedException");
  const gone = await execute(`DELETE FROM "${TableName}" WHERE ${KEY} RETURNING ALL OLD *`, keyValues(50));
  assert.deepEqual(gone.Items, [{ ...item, Marks: new Set(["a", "b"]) }]);
});

test("a batch has an answer for each statement", async (t) => {
  const TableName = await filledTable(t);
  const answer = await documents.send(
    new BatchExecuteStatementCommand({
      Statements: [
        { Statement: `SELECT Title FROM "${TableName}" WHERE ${KEY}`, Parameters: keyValues(3) },
        { Statement: `SELECT Title FROM "${TableName}" WHERE ${KEY} AND Pages = 1`, Parameters: keyValues(3) },
        { Statement: `SELECT Title FROM "nowhere-${TableName}" WHERE ${KEY}`, Parameters: keyValues(3) },
      ],
    }),
  );
  assert.deepEqual(answer.Responses[0], { TableName, Item: { Title: "Volume 3" } });
  assert.deepEqual(answer.Responses.slice(1).map(({ Error }) => Error.Code), ["ValidationError", "ResourceNotFound"]);
});

test("a transaction is all or nothing, and once", async (t) => {
  const TableName = await filledTable(t);
  const transact = (statements, more) =>
    documents.send(
      new ExecuteTransactionCommand({
        TransactStatements: statements.map(([Statement, ...Parameters]) => ({ Statement, Parameters })),
        ...more,
      }),
    );
  const raise = [`UPDATE "${TableName}" SET Pages = Pages + 1 WHERE ${KEY}`, ...keyValues(1)];
  const exists = [`EXISTS(SELECT * FROM "${TableName}" WHERE ${KEY} AND Notes IS MISSING)`, ...keyValues(2)];
  const once = { ClientRequestToken: randomUUID() };
  assert.deepEqual((await transact([raise, exists], once)).Responses, []);
  await transact([raise, exists], once);
  const error = await refusal(transact([raise, [`INSERT INTO "${TableName}" VALUE {'PK': ?, 'SK': ?}`, ...keyValues(3)]]));
  assert.ok(error instanceof TransactionCanceledException);
  assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", "DuplicateItem"]);
  const read = await transact([1, 99].map((number) => [`SELECT Pages FROM "${TableName}" WHERE ${KEY}`, ...keyValues(number)]));
  assert.deepEqual(read.Responses, [{ Item: { Pages: 1000 } }, {}]);
});

test("a statement that is not well formed is refused", async () => {
  const error = await refusal(client.send(new PlainExecuteStatementCommand({ Statement: "SELECT * FROM" })));
  assert.equal(error.name, "ValidationException");
  assert.equal(error.message, "Statement wasn't well formed, can't be processed: Unexpected term");
});
