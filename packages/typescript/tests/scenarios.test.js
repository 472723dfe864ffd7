// Every script of scenarios/, through the TypeScript client: on the engine in memory, and over the AWS SDK on `monotable serve`.
// What is left behind is compared with what the Rust store leaves behind, byte for byte.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { aws } from "monotable";
import { createMemory } from "monotable/memory";
import { Models, countingRandom, listScripts, readReference, readScript, startServer } from "./repository.js";
import { Runner } from "./scenario/runner.js";

const scripts = listScripts();
const models = new Models();
let reference;
before(async () => { reference = await readReference(scripts); });
after(() => models.end());

/** Calls that run side by side draw chance in an order of their own. */
const isOrdered = (script) => !/^parallel /m.test(script);

/** How long expired items stay: DynamoDB promises a few days, and scripts see that they are not shown in between. */
const expiredStay = 2 * 24 * 60 * 60 * 1000;

/** Scripts whose items have expired by the clock of this machine, which the server goes by: they are gone there. */
const expired = new Set(["formkiq/fk_patterns.txt", "formkiq/fk_t12.txt", "formkiq/fk_t19.txt"]);

async function play(name, transport, runnerOf) {
  const script = readScript(name);
  const runner = new Runner({ transport, random: countingRandom(), models });
  runnerOf?.(runner);
  await runner.run(script);
  if (isOrdered(script)) assert.deepEqual(await runner.dump(), reference.get(name));
}

describe("in memory", () => {
  for (const name of scripts) {
    test(name, async () => {
      let runner;
      const clock = () => (runner ? runner.micros / 1000 - expiredStay : 0);
      const transport = await createMemory({ clock, seed: 7 });
      await play(name, transport, (made) => { runner = made; });
    });
  }
});

describe("over the AWS SDK", () => {
  let server;
  before(async () => { server = await startServer(); });
  after(() => server?.stop());
  scripts.forEach((name, position) => {
    const skip = expired.has(name) && "its items have expired by the clock of this machine";
    test(name, { skip }, async () => {
      // Each script has a region of its own: requests of one are not known by the names that another has used.
      const credentials = { accessKeyId: "a", secretAccessKey: "b" };
      const client = new DynamoDBClient({ endpoint: server.endpoint, region: `script-${position}`, credentials });
      await play(name, aws(client));
      client.destroy();
    });
  });
});
