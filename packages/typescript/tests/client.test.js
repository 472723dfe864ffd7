// What programs see of a client, on the engine in memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { ConflictError, CoreError, Exact, MonotableError, NotFoundError, UsageError, ValidationError, append, connect } from "monotable";
import { createMemory } from "monotable/memory";
import { Models } from "./repository.js";
import { openYggdrasil, plantTree } from "./yggdrasil.js";

const person = (of, more) => ({ ...of, LastName: "Oak", Gender: "Female", ...more });

test("rows are made, read, changed and deleted", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const made = await owner.Person.create(person({ UserId, TreeId }, { FirstName: "Ann", BirthDate: "1980-02-29" }));
  assert.equal(made.$entity, "Person");
  const key = { UserId, PersonId: made.PersonId };
  assert.deepEqual(await owner.Person.get(key), made);
  const changed = await owner.Person.update(key, { FirstName: "Anna", BirthDate: null });
  assert.equal(changed.FirstName, "Anna");
  assert.ok(!("BirthDate" in changed));
  await owner.Person.put(person(key, { TreeId, FirstName: "Annabel" }));
  assert.equal((await owner.Person.delete(key)).FirstName, "Annabel");
  assert.equal(await owner.Person.get(key), undefined);
  await assert.rejects(owner.Person.getOrThrow(key), NotFoundError);
});

test("a call is made when it is awaited, and once", async () => {
  const sent = [];
  const memory = await createMemory();
  const transport = { send: (...request) => { sent.push(request[0]); return memory.send(...request); } };
  const db = await openYggdrasil({ transport });
  await db.call({ setup: {} });
  await db.User.create({ Email: "eve@example.com", PasswordHash: "correct horse" });
  sent.length = 0;
  const call = db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(sent, []);
  const [one, other] = await Promise.all([call, call]);
  assert.equal(one, other);
  assert.deepEqual(sent, ["TransactWriteItems"]);
});

test("a program's own bcrypt hashes, and the core where it does not", async () => {
  const asked = [];
  const digest = ".".repeat(31);                    // well formed, and of no text
  let make = async (text, salt) => { asked.push([text, salt]); return salt + digest; };
  const sent = [];
  const hooks = { request: ({ operation }) => sent.push(operation) };
  const db = await openYggdrasil({ memory: true, hooks, bcrypt: (...given) => make(...given) });
  const { UserId } = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  assert.equal(asked.length, 1);
  assert.equal(asked[0][0], "correct horse");
  assert.match(asked[0][1], /^\$2b\$10\$[./A-Za-z0-9]{22}$/);
  assert.ok(!sent.includes(undefined), "hooks do not hear of hashes");
  const check = (text) => db.User.checkSecret({ UserId }, "PasswordHash", text);
  assert.equal(await check("whatever the function makes"), true);
  assert.equal(asked[1][1], asked[0][1]);
  const wrong = [async (text) => text, async () => undefined, async () => { throw new Error("no bcrypt here"); }, () => "not a promise"];
  for (make of wrong) {
    await db.User.update({ UserId }, { PasswordHash: "another horse" });
    assert.equal(await check("another horse"), true);
    assert.equal(await check("correct horse"), false);
  }
});

test("several writes are all made or none, and each has its row", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const of = { UserId, TreeId };
  const [a, b] = [{ PersonId: "a" }, { PersonId: "b" }];
  const rows = await owner.transact([
    owner.Person.create(person(of, { ...a, FirstName: "Ann" })), owner.Person.create(person(of, { ...b, FirstName: "Bea" })),
    owner.ParentChild.attach({ ...of, ParentId: "a", ChildId: "b", Type: "Biological" }),
  ]);
  assert.deepEqual(rows.map((row) => row.$entity), ["Person", "Person", "ParentChild"]);
  const back = owner.ParentChild.attach({ ...of, ParentId: "b", ChildId: "a", Type: "Biological" });
  await assert.rejects(back, (error) => error instanceof ConflictError && error.clash.is === "cycle");
  const half = [owner.Person.create(person(of, { PersonId: "c", FirstName: "Cid" })), owner.Person.create(person(of, { ...a, FirstName: "Ann" }))];
  await assert.rejects(owner.transact(half), ConflictError);
  assert.equal(await owner.Person.get({ UserId, PersonId: "c" }), undefined);
  const other = await openYggdrasil({ memory: true });
  assert.throws(() => owner.transact([other.User.create({ Email: "x@example.com" })]), UsageError);
});

test("a transaction has one caller: a call of another one is not a part of it", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const { UserId: stranger } = await db.User.create({ Email: "eve@example.com", PasswordHash: "correct horse" });
  const steal = (client) => client.Tree.update({ UserId, TreeId }, { TreeName: "Stolen" });
  const eve = db.as({ UserId: stranger });
  for (const whole of [db, owner, db.asProgram({ UserId }), eve.with({ client: { send() {} } })]) {
    assert.throws(() => whole.transact([steal(eve)]), { kind: "Usage", message: /own caller/ });
  }
  await assert.rejects(async () => eve.transact([steal(eve)]), NotFoundError);
  const same = db.as({ UserId }).with({ source: "a page" });
  assert.deepEqual((await same.transact([owner.Tree.update({ UserId, TreeId }, { TreeName: "Elm" })])).map((row) => row.TreeName), ["Elm"]);
});

test("a part of a transaction was not made before, and has no token of its own", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const create = (options) => owner.Person.create(person({ UserId, TreeId }, { FirstName: "Ann" }), options);
  const made = create();
  await made;
  assert.throws(() => owner.transact([made]), { kind: "Usage", message: /made already/ });
  assert.throws(() => owner.transact([create({ token: "once" })]), { kind: "Usage", message: /one token/ });
  assert.equal((await owner.query.personsOfTree({ TreeId })).rows.length, 1);
});

test("listings give pages, rows, the first one and all", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  for (const FirstName of ["Ann", "Bea", "Cid", "Dan", "Eve"]) await owner.Person.create(person({ UserId, TreeId }, { FirstName }));
  const listing = (options) => owner.query.personsOfTree({ TreeId }, options);
  const page = await listing({ limit: 2 });
  assert.equal(page.rows.length, 2);
  assert.equal((await listing({ limit: 2, after: page.cursor })).rows.length, 2);
  const names = [];
  for await (const { FirstName } of listing({ limit: 2 })) names.push(FirstName);
  assert.deepEqual([...names].sort(), ["Ann", "Bea", "Cid", "Dan", "Eve"]);
  assert.equal((await listing().first()).FirstName, names[0]);
  assert.equal((await listing().all({ max: 5 })).length, 5);
  await assert.rejects(listing({ limit: 2 }).all({ max: 4 }), UsageError);
  const backwards = await listing({ order: "desc" });
  assert.deepEqual(backwards.rows.map((row) => row.FirstName), names.reverse());
});

test("a listing is looked at without being read, row by row", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  await owner.Person.create(person({ UserId, TreeId }, { FirstName: "Ann" }));
  const listing = owner.query.personsOfTree({ TreeId });
  assert.equal((await listing.first().dryRun()).FirstName, "Ann");
  assert.deepEqual((await listing.all({ max: 5 }).dryRun()).map((row) => row.FirstName), ["Ann"]);
});

test("a number of rows is a whole number, and an order is one of two", async () => {
  const db = await openYggdrasil({ memory: true });
  const listing = (options) => db.query.personsOfTree({ TreeId: "t" }, options);
  for (const limit of [Number.NaN, 0, -1, 1.5, "10", 10n, null]) {
    assert.throws(() => listing({ limit }), { kind: "Usage", message: /`limit` is .* whole number from 1/ });
  }
  for (const max of [Number.NaN, undefined, -1, 2.5]) assert.throws(() => listing().all({ max }), { kind: "Usage", message: /`max`/ });
  assert.throws(() => listing({ order: "DESC" }), { kind: "Usage", message: /`order` is DESC/ });
});

test("what says who calls is never left out unseen", async () => {
  const db = await openYggdrasil({ memory: true });
  for (const nobody of [undefined, null, "ann", ["ann"]]) {
    assert.throws(() => db.as(nobody), UsageError);
    assert.throws(() => db.asProgram(nobody), UsageError);
  }
  for (const context of [{ ip: ["10.0.0.1"] }, { source: 5 }, { ip: "\ud800" }]) assert.throws(() => db.with(context), UsageError);
  assert.equal(await db.with({ consistent: "yes" }).Tree.get({ UserId: "u", TreeId: "t" }), undefined);
  const outline = { entities: ["Note"], tenant: true };
  const sites = connect("no model", outline, { transport: await createMemory() });
  for (const nobody of [undefined, null, {}, ["acme"], "\ud800"]) assert.throws(() => sites.tenant(nobody), UsageError);
  sites.tenant("acme");
  sites.tenant(5);
});

test("what cannot be text is refused, and disturbs no call of others", async () => {
  const db = await openYggdrasil({ memory: true });
  const others = db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" }).catch((error) => error);
  const half = "\ud800";
  assert.throws(() => db.User.create({ Email: half }), { kind: "Usage", message: /`Email` has half of a surrogate pair/ });
  assert.throws(() => db.User.get({ UserId: "x" }, { token: 5 }), UsageError);
  assert.throws(() => db.User.create({ Email: "eve@example.com" }, { token: half }), UsageError);
  assert.throws(() => db.as({ UserId: half }), UsageError);
  assert.equal((await others).Email, "ann@example.com");
});

test("a call that the core refuses as broken ends alone", async () => {
  const db = await openYggdrasil({ memory: true });
  const others = db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" }).catch((error) => error);
  const broken = db.call({ get: "User", key: { UserId: "x" } }, { expecting: { ["\ud800"]: "x" } });
  await assert.rejects(async () => broken, CoreError);
  assert.equal((await others).Email, "ann@example.com");
});

test("a condition that says nothing is refused", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const update = (expecting) => owner.Tree.update({ UserId, TreeId }, { TreeName: "Elm" }, { expecting });
  await assert.rejects(async () => update({ TreeName: undefined }), { kind: "Usage", message: /`expecting.TreeName` is undefined/ });
  await assert.rejects(async () => update({ TreeName: null }), ConflictError);
  assert.equal((await update({ TreeName: "Oak", Description: null })).TreeName, "Elm");
});

/** A client of boxes that hold anything. */
async function openShelf(options) {
  const models = new Models();
  const { model } = await models.compile(`
    monotable = 1
    model = "shelf"
    [table.Shelf]
    key = ["PK", "SK"]
    [entity.Box]
    key = ["BOX#{id}", "BOX"]
    owns = ["whole_box"]
    [entity.Box.attributes]
    id = "text, without = #"
    any = "any?"
    list = "[text]?"
    n = "integer?"
    [access.whole_box]
    key = ["BOX#{id}"]
    returns = ["Box"]
  `).finally(() => models.end());
  return connect(model, { entities: ["Box"], list: ["whole_box"] }, options);
}

test("values of every kind are taken for what they are, also those of another realm", async () => {
  const db = await openShelf({ memory: true });
  const keep = async (any) => (await db.Box.put({ id: "b", any })).any;
  const foreign = (text) => runInNewContext(text);
  assert.deepEqual(await keep(foreign("new Uint8Array([1, 2])")), new Uint8Array([1, 2]));
  assert.equal(await keep(foreign("new Date(0)")), "1970-01-01T00:00:00.000Z");
  assert.deepEqual(await keep(foreign("new Set(['a'])")), new Set(["a"]));
  assert.deepEqual(await keep(foreign("({ a: [1, null] })")), { a: [1, null] });
  assert.deepEqual(Object.keys(await keep(JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }'))).sort(), ["__proto__", "b"]);
  for (const lost of [new Map([["a", 1]]), Promise.resolve(1), db.Box.get({ id: "b" }), /a/, new Error("a"), new ArrayBuffer(1), new Float64Array(1), new Date("x")]) {
    assert.throws(() => db.Box.put({ id: "b", any: { lost } }), { kind: "Usage", message: /`any.lost` is/ });
  }
  const likeMarks = { $set: { a: 1 }, b: [{ $bytes: "x" }, { $map: { c: 2 } }, { $number: "y" }] };
  assert.deepEqual(await keep(likeMarks), likeMarks);
  const put = db.Box.put({ id: "b", any: [{ $set: "a" }, { $bytes: 1 }] });
  assert.ok((await put.requests()).length > 0 && (await put.explain()).write > 0);
  for (const none of [undefined, null, "a", 5, ["a"]]) {
    assert.throws(() => db.Box.create(none), UsageError);
    assert.throws(() => db.Box.get(none), UsageError);
  }
  const common = createRequire(import.meta.url)("monotable");
  assert.notEqual(common.append, append);
  await db.Box.put({ id: "b", list: ["a"], n: 1 });
  const changed = await db.Box.update({ id: "b" }, { list: common.append("b"), n: common.add(2), any: new common.Exact("0.1") });
  assert.deepEqual([changed.list, changed.n], [["a", "b"], 3]);
  assert.ok(changed.any instanceof Exact || changed.any === 0.1, String(changed.any));
});

test("rows that come along hang on the rows that name them", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  for (const PersonId of ["a", "b", "c"]) await owner.Person.create(person({ UserId, TreeId }, { PersonId, FirstName: PersonId }));
  for (const ChildId of ["b", "c"]) await owner.ParentChild.attach({ UserId, TreeId, ParentId: "a", ChildId, Type: "Biological" });
  const { rows } = await owner.query.childrenOfPerson({ UserId, ParentId: "a" });
  assert.deepEqual(rows.map((row) => [row.ChildId, row.$followed.ChildId.FirstName]), [["b", "b"], ["c", "c"]]);
});

test("items that the model does not know are as DynamoDB has them", async () => {
  const memory = await createMemory();
  const db = await openShelf({ transport: memory });
  await db.call({ setup: {} });
  await db.Box.put({ id: "b" });
  const Item = { PK: { S: "BOX#b" }, SK: { S: "ODD" }, map: { M: { $set: { L: [] } } }, other: { M: { $bytes: { S: "x" } } }, bytes: { B: "AQI=" } };
  await memory.send("PutItem", { TableName: "Shelf", Item }, {});
  const { unknown, rows } = await db.query.wholeBox({ id: "b" });
  assert.deepEqual(rows, [{ $entity: "Box", id: "b" }]);
  assert.deepEqual(unknown, [{ ...Item, bytes: { B: new Uint8Array([1, 2]) } }]);
});

test("errors have classes, kinds, declarations and everything that is wrong", async () => {
  const db = await openYggdrasil({ memory: true });
  await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  const taken = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" }).catch((error) => error);
  assert.ok(taken instanceof ConflictError && taken instanceof MonotableError && taken instanceof Error);
  assert.ok(!(taken instanceof ValidationError));
  assert.deepEqual(taken.clash, { is: "unique", claim: "User.Email" });
  assert.equal(taken.declaration, "entity.User.unique.Email");
  const wrong = await db.User.create({ Email: "", Nickname: "x" }).catch((error) => error);
  assert.ok(wrong instanceof ValidationError);
  assert.deepEqual(wrong.problems.map((problem) => problem.attribute).sort(), ["Email", "Nickname", "PasswordHash"]);
  assert.throws(() => db.User.create({ Email: Number.NaN }), UsageError);
});

test("a secret is checked and never shown", async () => {
  const db = await openYggdrasil({ memory: true });
  const user = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  assert.ok(!("PasswordHash" in user));
  const key = { UserId: user.UserId };
  assert.equal(await db.User.checkSecret(key, "PasswordHash", "correct horse"), true);
  assert.equal(await db.User.checkSecret(key, "PasswordHash", "wrong horse"), false);
});

test("lists grow, moves move, and callers see their own rows only", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const tree = await owner.Tree.update({ UserId, TreeId }, { SharedWith: append("eve") });
  assert.deepEqual(tree.SharedWith, ["eve"]);
  const { UserId: other } = await db.User.create({ Email: "bob@example.com", PasswordHash: "correct horse" });
  assert.equal(await db.as({ UserId: other }).query.treeById({ TreeId }), undefined);
  const moved = await db.move.transferTree({ UserId, TreeId }, { UserId: other });
  assert.equal(moved.UserId, other);
  assert.equal((await db.as({ UserId: other }).query.treeById({ TreeId })).TreeName, "Oak");
});

test("a call can be looked at before it is made", async () => {
  const db = await openYggdrasil({ memory: true });
  const call = () => db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  const explanation = await call().explain();
  assert.equal(explanation.requests[0].operation, "TransactWriteItems");
  assert.ok(explanation.write >= 4 && String(explanation).includes("write units"));
  assert.equal((await call().dryRun()).Email, "ann@example.com");
  const [request] = await call().requests();
  assert.equal(request.operation, "TransactWriteItems");
  assert.equal(await db.query.userByEmail({ Email: "ann@example.com" }), undefined);
  await call();
  assert.ok((await call().explain()).error instanceof ConflictError || (await call().explain()).requests.length > 0);
});

test("tables have other names, by an object or a function, and the model says its own", async () => {
  for (const tables of [{ Yggdrasil: "trees-test" }, (name) => `${name.toLowerCase()}-test`]) {
    const memory = await createMemory();
    const db = await openYggdrasil({ transport: memory, tables });
    await db.call({ setup: {} });
    const { ok } = await memory.send("ListTables", {}, {});
    assert.match(ok.TableNames.join(), /-test$/);
    await db.ready;
    assert.equal(db.model.name, "yggdrasil");
  }
});

test("a seed repeats ids, and snapshots bring everything back", async () => {
  const clock = () => Date.parse("2025-11-18T12:00:00Z");
  const users = [];
  for (let run = 0; run < 2; run += 1) {
    const db = await openYggdrasil({ memory: { seed: 7 }, clock });
    users.push(await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" }));
  }
  assert.deepEqual(users[0], users[1]);
  const memory = await createMemory();
  const db = await openYggdrasil({ transport: memory });
  await db.call({ setup: {} });
  const snapshot = memory.snapshot();
  await plantTree(db);
  memory.restore(snapshot);
  await plantTree(db);
});

test("records of a stream are changes of rows", async () => {
  const db = await openYggdrasil({ memory: true });
  const { owner, UserId, TreeId } = await plantTree(db);
  const put = (await owner.Person.create(person({ UserId, TreeId }, { PersonId: "a", FirstName: "Ann" })).requests())
    .flatMap((request) => request.input.TransactItems ?? []).map((action) => action.Put?.Item).filter(Boolean);
  const [image] = put.filter((item) => item.FirstName);
  const eventSourceARN = "arn:aws:dynamodb:eu-north-1:123456789012:table/Yggdrasil/stream/2025";
  const record = (eventName, dynamodb, more) => ({ eventName, eventSourceARN, dynamodb, ...more });
  const service = { userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" } };
  const changes = await db.changes({ Records: [
    record("INSERT", { NewImage: image }), record("INSERT", { NewImage: { PK: { S: "x" }, SK: { S: "y" } } }),
    record("MODIFY", { OldImage: image, NewImage: { ...image, FirstName: { S: "Anna" } } }),
    record("REMOVE", { OldImage: image }), record("REMOVE", { OldImage: image }, service),
  ] });
  assert.deepEqual(changes.map(({ is }) => is), ["create", "update", "delete", "expire"]);
  assert.equal(changes[1].after.FirstName, "Anna");
  assert.equal((await db.parse(image)).FirstName, "Ann");
});

test("exactly one way to DynamoDB is given", async () => {
  await assert.rejects(openYggdrasil({}), UsageError);
  await assert.rejects(openYggdrasil({ memory: true, transport: {} }), UsageError);
  for (const none of [{ client: null }, { transport: null }, { memory: false }]) await assert.rejects(openYggdrasil(none), UsageError);
});

test("a secret may be given as its hash", async () => {
  const db = await openYggdrasil({ memory: true });
  const bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
  const { UserId } = await db.User.create({ Email: "ann@example.com", PasswordHash: { bcrypt } });
  assert.equal(await db.User.checkSecret({ UserId }, "PasswordHash", "U*U"), true);
  await assert.rejects(async () => db.User.update({ UserId }, { PasswordHash: { bcrypt: "none" } }), { kind: "Validation" });
});

test("indexes lag where a test asks for it, by one read at most", async () => {
  const seen = [];
  for (let seed = 1; seed <= 12; seed += 1) {
    const db = await openYggdrasil({ memory: { seed, lag: true } });
    const { owner, UserId } = await plantTree(db);
    const titles = async () => (await owner.query.treesOfUser({ UserId })).rows.map((tree) => tree.TreeName);
    seen.push((await titles()).length);
    assert.deepEqual(await titles(), ["Oak"]);
  }
  assert.ok(seen.includes(0) && seen.includes(1), `the first reads saw ${seen}`);
});

test("a snapshot of an engine whose indexes lag is the state that all writes have made", async () => {
  const memory = await createMemory({ seed: 3, lag: true });
  const db = await openYggdrasil({ transport: memory });
  await db.call({ setup: {} });
  const { owner, UserId } = await plantTree(db);
  const planted = memory.snapshot();
  await plantTree(db, "Elm");
  memory.restore(planted);
  const found = await owner.query.treesOfUser({ UserId });
  assert.deepEqual(found.rows.map((tree) => tree.TreeName), ["Oak"]);
  assert.equal(await db.query.userByEmail({ Email: "Elm@example.com" }), undefined);
});
