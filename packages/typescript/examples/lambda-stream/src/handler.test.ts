import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemory } from "monotable/memory";
import { open } from "./db.js";
import { makeHandler } from "./handler.js";
import type { Notice } from "./handler.js";

test("a new document is told, with its site and who made it", async () => {
  const memory = await createMemory();
  const db = open({ transport: memory });
  const site = db.tenant("finance");
  await site.call({ setup: {} });
  await site.asProgram({ username: "ann" }).Document.create({ documentId: "lease", path: "lease.pdf" });

  // What DynamoDB would write to the stream: every item of the table as a new one.
  const tables = (await memory.send("ListTables", {}, {})) as { ok: { TableNames: string[] } };
  const Records: object[] = [];
  for (const TableName of tables.ok.TableNames) {
    const { ok } = (await memory.send("Scan", { TableName }, {})) as { ok: { Items: object[] } };
    const eventSourceARN = `arn:aws:dynamodb:eu-north-1:123456789012:table/${TableName}/stream/2025`;
    for (const NewImage of ok.Items) Records.push({ eventName: "INSERT", eventSourceARN, dynamodb: { NewImage } });
  }
  const notices: Notice[] = [];
  await makeHandler(db, async (notice) => void notices.push(notice))({ Records });
  assert.deepEqual(notices, [{ site: "finance", document: "lease", what: "add", who: "ann" }]);
});
