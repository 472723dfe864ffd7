// The committed clients, run: whatever their types have is there, and answers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { UsageError, connect } from "monotable";
import ts from "typescript";
import { importClient, models, sourceOf } from "./generated-client.js";
import { Models } from "./repository.js";

const clock = () => Date.parse("2025-11-18T12:00:00Z");

/** The names of the members of every interface, by the interface's own name: `Yggdrasil.Queries`. */
function readInterfaces(model) {
  const source = ts.createSourceFile(model, readFileSync(sourceOf(model), "utf8"), ts.ScriptTarget.ES2022);
  const found = new Map();
  const visit = (node, path) => {
    if (ts.isModuleDeclaration(node)) node.body.statements.forEach((inner) => visit(inner, `${node.name.text}.`));
    if (ts.isInterfaceDeclaration(node)) found.set(`${path}${node.name.text}`, node.members.map((member) => member.name?.text).filter(Boolean));
  };
  source.statements.forEach((node) => visit(node, ""));
  return found;
}

/** The client with every member: of some tenant, where rows have one. */
const enter = (opened) => (opened.tenant ? opened.tenant("default") : opened);

describe("what the types of a client have is there", () => {
  for (const model of models) {
    test(model, async () => {
      const { open } = await importClient(model);
      const opened = open({ memory: true, clock });
      const client = enter(opened);
      const interfaces = readInterfaces(model);
      const type = model[0].toUpperCase() + model.slice(1);
      const has = (object, name, where) => assert.ok(object?.[name] !== undefined, `${where} has no ${name}`);
      for (const name of interfaces.get(type)) has(client, name, type);
      for (const name of interfaces.get(`${type}.Queries`)) has(client.query, name, "query");
      for (const name of interfaces.get(`${type}.Moves`) ?? []) has(client.move, name, "move");
      for (const name of interfaces.get(`${type}.Carries`) ?? []) has(client.carry, name, "carry");
      for (const name of interfaces.get(`${type}.Global`) ?? []) has(opened, name, "the client without a tenant");
      for (const [name, members] of interfaces) {
        if (!name.endsWith(".Calls")) continue;
        const entity = name.slice(0, -".Calls".length);
        for (const member of members) has(client[entity] ?? client[entity.replace(/Row$/, "")], member, entity);
      }
      await opened.ready;
    });
  }
});

test("revisions are compared by a pattern, and everything of an owner is purged", async () => {
  const { open } = await importClient("values");
  const db = open({ memory: true, clock });
  const user = { userId: "ada" };
  const tree = db.repository.values(user);
  const commit = async (title) => {
    const commit = tree.commit({ message: title, source: "daily_update" });
    commit.ValuesNode.put({ nodeId: "d1", nodeType: "DRIVER", title });
    return (await commit).revisions[0].revId;
  };
  const [from, to] = [await commit("Health"), await commit("Sleep")];
  const { rows } = await db.query.valuesDiff({ ...user, from, to });
  assert.deepEqual(rows.map(({ is, before, row }) => [is, before.title, row.title]), [["changed", "Health", "Sleep"]]);

  const listed = await db.purge(user).dryRun();
  assert.equal(listed.owner.userId, "ada");
  assert.ok(listed.partitions.some(({ reason, revision }) => reason === "own" && revision === undefined));
  assert.ok(listed.partitions.some(({ revision }) => revision === to));
  await assert.rejects(db.as(user).purge(user), { kind: "Forbidden" });
  const items = ({ partitions }) => partitions.reduce((sum, partition) => sum + partition.items, 0);
  assert.equal(items(await db.purge(user)), items(listed));
  assert.equal(items(await db.purge(user)), 0);
});

test("a commit says what it is built on, has one caller, and takes no change when it is made", async () => {
  const { open } = await importClient("values");
  const db = open({ memory: true, clock });
  const ada = db.repository.values({ userId: "ada" });
  const commit = (repository, options) => {
    const made = repository.commit({ message: "m", source: "daily_update" }, options);
    made.ValuesNode.create({ nodeType: "DRIVER", title: "Health" });
    return made;
  };
  for (const parent of [{ is: undefined }, { rebase: undefined }, {}]) {
    assert.throws(() => commit(ada, { parent }), { kind: "Usage", message: /`parent\.(is|rebase)` is undefined/ });
  }
  const first = commit(ada, { parent: { first: true } });
  const { revisions: [{ revId }] } = await first;
  assert.throws(() => first.ValuesNode.create({ nodeType: "DRIVER", title: "Late" }), { kind: "Usage", message: /would be lost/ });
  assert.throws(() => db.commitAll([first]), { kind: "Usage", message: /made already/ });
  const ben = db.as({ userId: "ben" }).repository.values({ userId: "ada" });
  assert.throws(() => db.commitAll([commit(ben)]), { kind: "Usage", message: /own caller/ });
  await assert.rejects(async () => commit(ben), { kind: "Forbidden" });
  assert.equal((await db.commitAll([commit(ada, { parent: { is: revId } })])).revisions.length, 1);
  for (const at of [{}, { revision: undefined }, { time: new Date("x") }]) assert.throws(() => ada.at(at).show(), UsageError);
  assert.deepEqual((await ada.log({ order: "asc" })).rows.map((row) => row.revId)[0], revId);
});

test("a move takes new values of any name, and its options beside them", async () => {
  const models = new Models();
  const compiled = await models.compile(`
    monotable = 1
    model = "doors"
    [table.Doors]
    key = ["PK", "SK"]
    [entity.Door]
    key = ["door#{token}", "door"]
    [entity.Door.attributes]
    token = "text"
    colour = "text"
    [move.rekey]
    of = "Door"
    changes = ["token"]
  `).finally(() => models.end());
  const outline = { entities: ["Door"], moves: ["rekey"], transfers: ["rekey"] };
  const db = connect(compiled.model, outline, { memory: true, clock });
  await db.Door.create({ token: "one", colour: "red" });
  assert.deepEqual(await db.move.rekey({ token: "one" }, { token: "two" }), { $entity: "Door", token: "two", colour: "red" });
  await db.move.rekey({ token: "two" }, { token: "three" }, { token: "the name of this call" });
  assert.equal((await db.Door.get({ token: "three" })).colour, "red");
});
