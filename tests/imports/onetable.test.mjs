// OneTable and a model that was imported from its schema, on one table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Table } from "dynamodb-onetable";
import { Dynamo } from "dynamodb-onetable/Dynamo";
import { client, importSchema, items, sample } from "./monotable.mjs";

const TABLE = "accounts";
const schema = JSON.parse(readFileSync(sample("onetable.json"), "utf8"));
const model = importSchema("onetable.json", TABLE);
const table = new Table({ client: new Dynamo({ client }), name: TABLE, schema, partial: false, logger: false });
const [Account, Member, Task] = ["Account", "Member", "Task"].map((name) => table.getModel(name));

const plain = (row) => JSON.parse(JSON.stringify(row));

test("rows that OneTable wrote are read by the model", async () => {
  const account = plain(await Account.create({ name: "Harbour Press", settings: { theme: "dark" } }));
  const member = plain(
    await Member.create({ accountId: account.id, email: "Ann@x.example", nick: "ann", roles: ["editor"], seen: new Date("2026-01-05T09:00:00Z") }),
  );
  const task = plain(await Task.create({ accountId: account.id, number: 42, title: "Print", assignee: member.id, due: "2026-02-01" }));
  assert.deepEqual(model.get("Account", { id: account.id }), account);
  assert.deepEqual(model.get("Member", { accountId: account.id, id: member.id }), member);
  const { label, ...read } = model.get("Task", { accountId: account.id, number: 42 });
  assert.deepEqual(read, task);
  assert.equal(label, "42 Print");
  const own = model.query("tasks_of_account_id", { accountId: account.id });
  assert.deepEqual(own.map((row) => row.title), ["Print"]);
  model.verify();
});

test("rows that the model wrote have OneTable's bytes and are read by it", async () => {
  const account = model.create("Account", { id: "01JZZZZZZZZZZZZZZZZZZZZZZZ", name: "Kelp Energy" });
  const member = model.create("Member", { id: "m-7", accountId: account.id, email: "bo@x.example", nick: "bo", roles: [] });
  const task = model.create("Task", { accountId: account.id, number: 7, title: "Weigh", assignee: "m-7" });
  const raw = await items(TABLE);
  const find = (pk, sk) => raw.find((item) => item.pk === pk && item.sk === sk);
  const keys = ({ pk, sk, gs1pk, gs1sk, _type }) => ({ pk, sk, gs1pk, gs1sk, _type });
  assert.deepEqual(keys(find(`account#${account.id}`, "member#m-7")), {
    pk: `account#${account.id}`, sk: "member#m-7", gs1pk: "member#bo@x.example", gs1sk: "member#", _type: "Member",
  });
  assert.deepEqual(keys(find(`account#${account.id}`, "task#000007")), {
    pk: `account#${account.id}`, sk: "task#000007", gs1pk: "assignee#m-7", gs1sk: "task#open#000007", _type: "Task",
  });
  // The guard is the very item that OneTable makes.
  assert.deepEqual(find("_unique#Account#name#Kelp Energy", "_unique#"), {
    pk: "_unique#Account#name#Kelp Energy", sk: "_unique#", _type: "_Unique",
  });
  assert.ok(find(`_unique#${account.id}#Member#email#bo@x.example`, "_unique#"));
  assert.deepEqual(plain(await Account.get({ id: account.id })), account);
  assert.deepEqual(plain(await Member.get({ accountId: account.id, id: "m-7" })), member);
  const { label, ...written } = task;
  assert.deepEqual(plain(await Task.get({ accountId: account.id, number: 7 })), written);
  assert.equal(label, "7 Weigh");
  const found = await Member.find({ email: "bo@x.example" }, { index: "gs1" });
  assert.equal(found.length, 1);
  model.verify();
});

test("a value that one has made unique is taken for the other", async () => {
  await assert.rejects(Account.create({ name: "Kelp Energy" }), /unique/i);
  assert.throws(() => model.create("Account", { name: "Harbour Press" }), /Harbour Press|name/);
  const kelp = (await items(TABLE)).find((item) => item.name === "Kelp Energy");
  await Account.remove({ id: kelp.id });
  const again = model.create("Account", { name: "Kelp Energy" });
  assert.equal(again.name, "Kelp Energy");
});
