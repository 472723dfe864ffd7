// The access patterns of Yggdrasil (YG-A1 to YG-A23) through the document client, and the writes
// that its rules ask for. Its document's five common queries are A1, A3, A6, A9 and A10.
//
// The family: Sigrid and Nils are married and have Karin and Olof; Karin is married to Per. A person
// whose id continues Sigrid's has a child too (YG-X4), and another user has a tree of their own.

import assert from "node:assert/strict";
import { before, after, test } from "node:test";
import { GetCommand, QueryCommand, TransactWriteCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { documents, newTable, refusal, writeAll } from "./library.mjs";
import { emailGuard, parentChild, person, spousal, tree, user, YGGDRASIL } from "./yggdrasil.mjs";

const [U, V] = ["u-1", "u-2"];
const [T, OLD] = ["t-lindqvist", "t-archive"];
const [sigrid, nils, karin, olof, per, longer, child] = ["p-1", "p-2", "p-3", "p-4", "p-5", "p-10", "p-11"];

const owner = user(U, "Sigrid@Example.com");
const stranger = user(V, "other@example.com");
const people = [
  [sigrid, "Sigrid"], [nils, "Nils"], [karin, "Karin"], [olof, "Olof"], [per, "Per"], [longer, "Maj"], [child, "Lo"],
].map(([id, name], index) => person(U, T, id, name, index + 1));
const links = [
  [sigrid, karin], [sigrid, olof], [nils, karin], [nils, olof], [longer, child],
].map(([parent, of]) => parentChild(U, T, parent, of));
const marriages = [spousal(U, T, sigrid, nils), spousal(U, T, karin, per)];

let TableName;
const ended = [];

before(async () => {
  TableName = await newTable({ after: (remove) => ended.push(remove) }, YGGDRASIL);
  await writeAll(TableName, [
    owner, emailGuard(owner), stranger, emailGuard(stranger),
    tree(U, T, "Lindqvist", "2030-02-01T08:00:00.000Z"),
    tree(U, OLD, "Archive", "2029-02-01T08:00:00.000Z"),
    tree(V, "t-other", "Other", "2030-05-01T08:00:00.000Z"),
    person(V, "t-other", "p-99", "Someone", 1),
    ...people, ...links, ...marriages,
  ]);
});
after(() => Promise.all(ended.map((remove) => remove())));

async function get(PK, SK) {
  return (await documents.send(new GetCommand({ TableName, Key: { PK, SK } }))).Item;
}

/** All items of a partition whose sort key begins with `prefix`, over as many pages as it takes. */
async function query(IndexName, partition, prefix, more = {}) {
  const [hash, range] = IndexName ? [`${IndexName}PK`, `${IndexName}SK`] : ["PK", "SK"];
  const request = {
    TableName,
    IndexName,
    KeyConditionExpression: prefix ? `${hash} = :pk AND begins_with(${range}, :sk)` : `${hash} = :pk`,
    ExpressionAttributeValues: { ":pk": partition, ...(prefix && { ":sk": prefix }) },
    ...more,
  };
  const items = [];
  for await (const page of paginateQuery({ client: documents, pageSize: 3 }, request)) items.push(...page.Items);
  return items;
}

const pick = (items, attribute) => items.map((item) => item[attribute]);
const transact = (TransactItems) => documents.send(new TransactWriteCommand({ TransactItems }));

test("A1: a user by id", async () => {
  assert.deepEqual(await get(`USER#${U}`, "PROFILE"), owner);
  assert.equal(await get("USER#nobody", "PROFILE"), undefined);
});

test("A2: a user by e-mail, through the guard", async () => {
  const name = "USER_EMAIL#sigrid@example.com";
  const guard = await get(name, name);
  assert.equal((await get(`USER#${guard.UserId}`, "PROFILE")).Email, "Sigrid@Example.com");
});

test("A3: the trees of a user", async () => {
  assert.deepEqual(pick(await query(undefined, `USER#${U}`, "TREE#"), "TreeId"), [OLD, T]);
});

test("A4, A17: a tree by id", async () => {
  assert.deepEqual(pick(await query("GSI1", `TREE#${T}`), "TreeName"), ["Lindqvist"]);
  assert.deepEqual(pick(await query("GSI2", `TREE#${T}`, "TREE#METADATA"), "TreeName"), ["Lindqvist"]);
});

test("A5: a user's trees by creation", async () => {
  assert.deepEqual(pick(await query("GSI3", `USER#${U}`, "TREE#"), "TreeId"), [OLD, T]);
  const newest = await query("GSI3", `USER#${U}`, "TREE#", { ScanIndexForward: false });
  assert.deepEqual(pick(newest, "TreeId"), [T, OLD]);
});

test("A6: the persons of a tree", async () => {
  const found = await query("GSI2", `TREE#${T}`, "PERSON#");
  assert.deepEqual(pick(found, "PersonId"), [sigrid, longer, child, nils, karin, olof, per]);
  assert.deepEqual(found[0], people[0]);
});

test("A7: a person by id, also one with parents and a spouse (YG-X2)", async () => {
  const one = { TableName, IndexName: "GSI1", Limit: 1 };
  const naive = await documents.send(
    new QueryCommand({ ...one, KeyConditionExpression: "GSI1PK = :pk", ExpressionAttributeValues: { ":pk": `PERSON#${karin}` } }),
  );
  assert.equal(naive.Items[0].EntityType, "Relationship");
  const { Items } = await documents.send(
    new QueryCommand({
      ...one,
      KeyConditionExpression: "GSI1PK = :pk AND begins_with(GSI1SK, :sk)",
      ExpressionAttributeValues: { ":pk": `PERSON#${karin}`, ":sk": "TREE#" },
    }),
  );
  assert.deepEqual(Items, [people[2]]);
});

test("A8, A22: a person by owner and id, and one relationship", async () => {
  assert.deepEqual(await get(`USER#${U}`, `PERSON#${olof}`), people[3]);
  assert.deepEqual(await get(`USER#${U}`, `PERSON#${sigrid}#CHILD#${olof}`), links[1]);
});

test("A9: the children of a person, and of nobody else (YG-X4)", async () => {
  const children = (parent) => query(undefined, `USER#${U}`, `PERSON#${parent}#CHILD#`);
  assert.deepEqual(pick(await children(sigrid), "ChildId"), [karin, olof]);
  assert.deepEqual(pick(await children(longer), "ChildId"), [child]);
  assert.deepEqual(await children(per), []);
});

test("A10: the parents of a person", async () => {
  assert.deepEqual(pick(await query("GSI1", `PERSON#${karin}`, "PARENT#"), "ParentId"), [sigrid, nils]);
});

test("A11, A14, A15: the relationships of a tree", async () => {
  const of = (kind) => query("GSI2", `TREE#${T}`, `RELATIONSHIP#${kind}`);
  assert.deepEqual(pick(await of("SPOUSE#"), "SK"), pick(marriages, "SK"));
  assert.equal((await of("PARENT#")).length, links.length);
  assert.equal((await of("")).length, links.length + marriages.length);
});

test("A12, A13, A21: spouses from both sides (YG-X7)", async () => {
  const forward = (id) => query(undefined, `USER#${U}`, `PERSON#${id}#SPOUSE#`);
  const reverse = (id) => query("GSI1", `PERSON#${id}`, "SPOUSE#");
  assert.deepEqual(pick(await forward(sigrid), "Person2Id"), [nils]);
  assert.deepEqual(await forward(nils), []);
  assert.deepEqual(pick(await reverse(nils), "Person1Id"), [sigrid]);
  assert.equal([...(await forward(per)), ...(await reverse(per))].length, 1);
});

test("A16: a whole tree in one query", async () => {
  const found = await query("GSI2", `TREE#${T}`);
  const kinds = [...Array(7).fill("Person"), ...Array(7).fill("Relationship"), "Tree"];
  assert.deepEqual(pick(found, "EntityType"), kinds);
});

test("A18: the persons of a user by creation, and no relationships (YG-X3)", async () => {
  const found = await query("GSI3", `USER#${U}`, "PERSON#");
  assert.deepEqual(pick(found, "PersonId"), [sigrid, nils, karin, olof, per, longer, child]);
});

test("A19, A20: everything of a user, with and without relationships", async () => {
  const kinds = new Set(pick(await query("GSI3", `USER#${U}`), "EntityType"));
  assert.deepEqual(kinds, new Set(["User", "Tree", "Person"]));
  assert.equal((await query(undefined, `USER#${U}`)).length, 1 + 2 + people.length + links.length + marriages.length);
});

test("A23: the siblings of a person", async () => {
  const parents = pick(await query("GSI1", `PERSON#${karin}`, "PARENT#"), "ParentId");
  const families = await Promise.all(parents.map((id) => query(undefined, `USER#${U}`, `PERSON#${id}#CHILD#`)));
  const siblings = new Set(families.flat().map(({ ChildId }) => ChildId).filter((id) => id !== karin));
  assert.deepEqual(siblings, new Set([olof]));
});

test("R1: an e-mail is taken once, however it is written (YG-X5)", async () => {
  const put = (Item) => ({ Put: { TableName, Item, ConditionExpression: "attribute_not_exists(PK)" } });
  const twin = user("u-3", " SIGRID@example.com ");
  const error = await refusal(transact([put(twin), put(emailGuard(twin))]));
  assert.deepEqual(pick(error.CancellationReasons, "Code"), ["None", "ConditionalCheckFailed"]);
  assert.equal(await get("USER#u-3", "PROFILE"), undefined);
});

test("R6, R7: a person is counted in its tree, which must be there", async () => {
  const add = (treeId, id) =>
    transact([
      { Put: { TableName, Item: person(V, treeId, id, "New", 9), ConditionExpression: "attribute_not_exists(PK)" } },
      {
        Update: {
          TableName,
          Key: { PK: `USER#${V}`, SK: `TREE#${treeId}` },
          UpdateExpression: "ADD PersonCount :one",
          ConditionExpression: "attribute_exists(PK)",
          ExpressionAttributeValues: { ":one": 1 },
        },
      },
    ]);
  await add("t-other", "p-98");
  assert.equal((await get(`USER#${V}`, "TREE#t-other")).PersonCount, 1);
  const error = await refusal(add("t-none", "p-97"));
  assert.deepEqual(pick(error.CancellationReasons, "Code"), ["None", "ConditionalCheckFailed"]);
  assert.equal(await get(`USER#${V}`, "PERSON#p-97"), undefined);
});
