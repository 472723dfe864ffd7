import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemory } from "monotable/memory";
import { login, register } from "./accounts.js";
import { open } from "./db.js";

const clock = () => Date.parse("2025-11-18T12:00:00Z");

test("an address has one account", async () => {
  const db = open({ memory: { seed: 7 }, clock });
  await register(db, "ann@example.com", "correct horse");
  await assert.rejects(register(db, "ann@example.com", "another"), /There is an account/);
});

test("a password opens its own account alone", async () => {
  const db = open({ memory: true });
  const id = await register(db, "ann@example.com", "correct horse");
  assert.equal(await login(db, "ann@example.com", "correct horse"), id);
  assert.equal(await login(db, "ann@example.com", "wrong horse"), undefined);
  assert.equal(await login(db, "eve@example.com", "correct horse"), undefined);
});

test("an account is made once, though the answer is lost", async () => {
  const memory = await createMemory();
  const db = open({ transport: memory, retry: { base: 1 } });
  await db.call({ setup: {} });
  await register(db, "ann@example.com", "correct horse");
  memory.fail({ lose: 1 });
  await register(db, "bob@example.com", "correct horse");
});
