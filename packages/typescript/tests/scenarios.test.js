// Every script of scenarios/, through the TypeScript client: on the engine in memory, and over the AWS SDK on `monotable serve`.
// What is left behind is compared with what the Rust store leaves behind, byte for byte.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { aws } from "monotable";
import { createMemory } from "monotable/memory";
import { Models, Reference, countingRandom, listScripts, readScript, startServer, startServerOfScripts } from "./repository.js";
import { Runner } from "./scenario/runner.js";

const scripts = listScripts();
const models = new Models();
const reference = new Reference(scripts);
after(() => {
  models.end();
  reference.end();
});

/** Calls that run side by side draw chance in an order of their own. */
const isOrdered = (script) => !/^parallel /m.test(script);

/** How long expired items stay: DynamoDB promises a few days, and scripts see that they are not shown in between. */
const expiredStay = 2 * 24 * 60 * 60 * 1000;

/** Scripts whose items have expired by the clock of this machine, which `monotable serve` goes by: they would be gone there. */
const expired = new Set(["formkiq/fk_leak.txt", "formkiq/fk_patterns.txt", "formkiq/fk_t12.txt", "formkiq/fk_t19.txt"]);

/** Runs a script; `comparing` says whether it leaves what the Rust store does. */
async function play(name, transport, { comparing = true, runnerOf } = {}) {
  const script = readScript(name);
  const runner = new Runner({ transport, random: countingRandom(), models });
  runnerOf?.(runner);
  await runner.run(script);
  if (comparing && isOrdered(script)) assert.deepEqual(await runner.dump(), await reference.items(name));
}

/** Runs a script in memory, where items expire by the clock of the script. */
async function playInMemory(name, { lag, comparing }) {
  let runner;
  const clock = () => (runner ? runner.micros / 1000 - expiredStay : 0);
  const transport = await createMemory({ clock, seed: 7, lag });
  await play(name, transport, { comparing, runnerOf: (made) => { runner = made; } });
}

describe("in memory", () => {
  for (const name of scripts) test(name, () => playInMemory(name, { comparing: true }));
});

/** A move of few rows reads an index once, and leaves behind what that does not show yet: the store does so in every language. */
const missed = new Set(["yggdrasil/yg_transfer.txt"]);

// How often something is read again follows from what the index lacks, and so do times and ids: items are not compared.
describe("in memory, with indexes that lag", () => {
  for (const name of scripts.filter((script) => /^(peers|yggdrasil)/.test(script) && !missed.has(script))) {
    test(name, () => playInMemory(name, { lag: true, comparing: false }));
  }
});

describe("over the AWS SDK", () => {
  let server;
  before(async () => { server = await startServer(); });
  after(() => server?.stop());
  scripts.forEach((name, position) => {
    test(name, async (context) => {
      const own = expired.has(name) ? await startServerOfScripts() : undefined;
      context.after(() => own?.stop());
      // Each script has a region of its own: requests of one are not known by the names that another has used.
      const credentials = { accessKeyId: "a", secretAccessKey: "b" };
      const { endpoint } = own ?? server;
      const client = new DynamoDBClient({ endpoint, region: `script-${position}`, credentials });
      context.after(() => client.destroy());
      await play(name, aws(client));
    });
  });
});
