// The Yggdrasil scripts that need nothing but the API, each on a server of its own.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { Player, isWithinReach, readScript } from "./scenario.js";
import { Server } from "./server.js";

const folder = process.env.MONOTABLE_SCENARIOS ?? "scenarios/yggdrasil";
/** Scripts whose rows are in the order of their times, which are all the same while the clock of scripts stands. */
const STANDING_CLOCK = new Set(["yg_t10.txt"]);
const scripts = readdirSync(folder).sort().map((name) => ({ name, entries: readScript(`${folder}/${name}`) }));
const within = scripts.filter(({ name, entries }) => isWithinReach(entries) && !STANDING_CLOCK.has(name));

test("most scripts of the document's own list are within reach", () => {
  assert.ok(within.length >= 14, `${within.length} of ${scripts.length}`);
});

for (const { name, entries } of within) {
  test(name, async () => {
    const server = await Server.start("yggdrasil");
    try {
      const document = await (await fetch(`${server.url}/openapi.json`)).json();
      const player = new Player(server.url, document);
      await player.play(entries);
      assert.ok(player.calls > 0);
    } finally {
      await server.stop();
    }
  });
}
