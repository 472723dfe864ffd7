// The host loop: aborts, lost answers, pauses, and cores that end.
import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { AbortedError, CoreError, RetryableError, connect } from "monotable";
import { createMemory } from "monotable/memory";
import { openYggdrasil, plantTree } from "./yggdrasil.js";

/** `AbortSignal.timeout` does not keep a process going that waits for nothing else. */
function abortAfter(milliseconds) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

const user = (Email) => ({ Email, PasswordHash: "correct horse" });

/** A client whose requests `meet` may answer in the place of the engine. */
async function openWith(meet, options) {
  const memory = await createMemory();
  let meeting;
  const transport = {
    send: async (operation, input, given) => (await meeting?.(operation, input, given)) ?? memory.send(operation, input, given),
  };
  const db = await openYggdrasil({ transport, ...options });
  await db.call({ setup: {} });
  await db.User.create(user("first@example.com"));
  meeting = meet;
  return { db, memory };
}

test("a call whose signal has ended sends nothing", async () => {
  const sent = [];
  const { db } = await openWith((operation) => void sent.push(operation));
  const call = db.User.create(user("ann@example.com"), { signal: AbortSignal.abort("enough") });
  const error = await call.catch((error) => error);
  assert.ok(error instanceof AbortedError);
  assert.equal(error.name, "AbortError");
  assert.equal(error.cause, "enough");
  assert.equal(error.unsure, false);
  assert.deepEqual(sent, []);
});

test("a signal ends a request that hangs, and says that a write had left", async () => {
  const hanging = (operation, input, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const { db } = await openWith(hanging);
  for (const [make, unsure] of [[() => db.User.create(user("ann@example.com"), { signal: abortAfter(20) }), true],
    [() => db.User.get({ UserId: "x" }, { signal: abortAfter(20) }), false]]) {
    const error = await make().catch((error) => error);
    assert.ok(error instanceof AbortedError, String(error));
    assert.equal(error.unsure, unsure);
  }
});

test("a signal ends a request of a transport that does not listen", async () => {
  const { db } = await openWith(() => new Promise(() => {}));
  await assert.rejects(db.User.get({ UserId: "x" }, { signal: abortAfter(20) }), AbortedError);
});

test("a signal ends a pause at once", async () => {
  const throttled = () => ({ status: 400, error: { __type: "ThrottlingException", message: "slow down" } });
  const { db } = await openWith(throttled, { retry: { attempts: 100, base: 60_000, cap: 600_000 }, random: (into) => into.fill(255) });
  const started = performance.now();
  const error = await db.User.get({ UserId: "x" }, { signal: abortAfter(20) }).catch((error) => error);
  assert.ok(error instanceof AbortedError);
  assert.ok(performance.now() - started < 30_000, "the pause would have been a minute");
});

test("a context's signal ends its calls, and a call's own comes first", async () => {
  const { db } = await openWith(() => new Promise(() => {}));
  const ended = db.with({ signal: AbortSignal.abort() });
  await assert.rejects(ended.User.get({ UserId: "x" }), AbortedError);
});

test("a lost answer is asked again, and what was done is not done twice", async () => {
  const { db, memory } = await openWith();
  memory.fail({ lose: 1 });
  const { UserId } = await db.User.create(user("ann@example.com"));
  memory.fail({ lose: 2 });
  await db.User.update({ UserId }, { DisplayName: "Ann" });
  assert.equal((await db.User.get({ UserId })).DisplayName, "Ann");
  assert.deepEqual((await db.call({ verify: {} })).violations, []);
});

test("a write whose answers are all lost is unsure, and a refused one is not", async () => {
  const { db } = await openWith((operation) => (operation === "TransactWriteItems" ? { lost: "the line went dead" } : undefined));
  const lost = await db.User.create(user("ann@example.com")).catch((error) => error);
  assert.ok(lost instanceof RetryableError);
  assert.equal(lost.unsure, true);
  const throttled = { status: 400, error: { __type: "ThrottlingException", message: "slow down" } };
  const { db: busy } = await openWith((operation) => (operation === "TransactWriteItems" ? throttled : undefined));
  const refused = await busy.User.create(user("ann@example.com")).catch((error) => error);
  assert.equal(refused.service.name, "ThrottlingException");
  assert.equal(refused.unsure, false);
});

test("a transport that throws has lost its answer", async () => {
  let thrown = 0;
  const { db } = await openWith(() => {
    thrown += 1;
    if (thrown === 1) throw new Error("a bug of the transport");
  });
  assert.equal(await db.User.get({ UserId: "x" }), undefined);
  assert.equal(thrown, 2);
});

test("`again` is sent at once, and attempts end", async () => {
  let asked = 0;
  const { db } = await openWith(() => { asked += 1; return { again: true }; }, { retry: { attempts: 3, base: 1, cap: 5 } });
  await assert.rejects(db.User.get({ UserId: "x" }));
  assert.equal(asked, 3);
});

test("a core that ends loses its calls, and never the process", async () => {
  let poisoned = false;
  const random = (into) => {
    if (poisoned) throw new Error("no chance");
    crypto.getRandomValues(into);
  };
  const waiting = [];
  const hold = () => (waiting.length === 0 ? new Promise((resolve) => waiting.push(resolve)) : undefined);
  const { db } = await openWith((operation) => (operation === "GetItem" ? hold() : undefined), { random });
  const reading = db.User.get({ UserId: "x" }).catch((error) => error);
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  poisoned = true;
  const trapped = await db.User.create(user("ann@example.com")).catch((error) => error);
  assert.ok(trapped instanceof CoreError, String(trapped));
  waiting[0]();
  const lost = await reading;
  assert.ok(lost instanceof CoreError, String(lost));
  poisoned = false;
  assert.equal((await db.User.create(user("ann@example.com"))).Email, "ann@example.com");
});

/** A core that asks for the time when it opens a store, and whose every call traps, with a message as a panic leaves it behind. */
function makeTrappingCore(abi = 1) {
  const [opened, message] = ['{"handle":1,"model":"m","hash":"h","tables":[]}', "a planted panic"];
  const parcel = (at, text) => `(data (i32.const ${at}) "\\${text.length.toString(16).padStart(2, "0")}\\00\\00\\00${text.replaceAll('"', '\\"')}")`;
  return binaryen.parseText(`(module
    (import "monotable" "now" (func $now (result f64)))
    (import "monotable" "random" (func (param i32 i32)))
    (memory (export "memory") 1)
    ${parcel(1024, opened)}
    ${parcel(2048, message)}
    (global (export "panic") i32 (i32.const 2048))
    (func (export "abi") (result i32) (i32.const ${abi}))
    (func (export "alloc") (param i32) (result i32) (i32.const 4096))
    (func (export "free") (param i32))
    (func (export "open") (param i32) (result i32) (drop (call $now)) (i32.const 1024))
    (func (export "start") (param i32) (result i32) (unreachable))
    (func (export "close") (param i32))
  )`).emitBinary();
}

test("a trap ends one instance with the message of its panic, and the next call has another", async () => {
  let opened = 0;
  const clock = () => { opened += 1; return 0; };
  const db = connect("model", { entities: ["User"] }, { module: makeTrappingCore(), transport: { send: async () => ({ unsent: "" }) }, clock });
  for (let call = 1; call <= 2; call += 1) {
    await assert.rejects(async () => db.User.get({ UserId: "x" }), (error) => {
      assert.ok(error instanceof CoreError, String(error));
      assert.equal(error.message, "a planted panic");
      assert.ok(error.cause instanceof WebAssembly.RuntimeError, String(error.cause));
      return true;
    });
    assert.equal(opened, call);
  }
});

test("a core of another version is refused", async () => {
  const db = connect("model", { entities: ["User"] }, { module: makeTrappingCore(2), transport: { send: async () => ({ unsent: "" }) } });
  await assert.rejects(db.ready, (error) => error instanceof CoreError && error.message.includes("version 2"));
});

test("hooks hear of calls and attempts, and what they throw is ignored", async () => {
  const heard = [];
  const { db, memory } = await openWith(undefined, { hooks: {
    call: (event) => { heard.push(event); throw new Error("a bug of the hook"); },
    request: (event) => { heard.push(event); },
  } });
  heard.length = 0;
  memory.fail({ throttle: 1 });
  await assert.rejects(db.User.create(user("first@example.com")));
  assert.deepEqual(heard.map(({ ms, error, ...event }) => event), [
    { call: "User.create", operation: "TransactWriteItems", attempt: 1, failed: "ThrottlingException" },
    { call: "User.create", operation: "TransactWriteItems", attempt: 2, failed: "TransactionCanceledException" },
    { name: "User.create", requests: 0, attempts: 2 },
  ]);
  assert.equal(heard[2].error.kind, "Conflict");
});

test("calls side by side do not wait for each other", async () => {
  let held;
  const { db } = await openWith((operation, input) => {
    if (JSON.stringify(input).includes("slow")) return new Promise((resolve) => { held = resolve; });
  });
  const slow = db.User.get({ UserId: "slow" });
  const done = slow.then(() => "slow");
  await db.User.get({ UserId: "fast" });
  assert.equal(await Promise.race([done, Promise.resolve("fast")]), "fast");
  held();
  assert.equal(await done, "slow");
});

test("a tree with more rows than one transaction holds is deleted whole", async () => {
  const { db } = await openWith();
  const { owner, UserId, TreeId } = await plantTree(db);
  const persons = Array.from({ length: 120 }, (_, n) => ({ UserId, TreeId, PersonId: `p${n}`, FirstName: "Ann", LastName: "Oak", Gender: "Other" }));
  for (let at = 0; at < persons.length; at += 20) {
    await Promise.all(persons.slice(at, at + 20).map((person) => owner.Person.create(person)));
  }
  await owner.Tree.delete({ UserId, TreeId });
  assert.deepEqual((await owner.query.personsOfTree({ TreeId })).rows, []);
  assert.deepEqual((await db.call({ verify: {} })).violations, []);
});
