// What the page says is what the product says: units and requests of every pattern, and what a dry run lists.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { BINARY, freePort, start, stopAll } from "./server.mjs";
import { openPage } from "./support.mjs";

const run = promisify(execFile);
// All patterns of the first model, and some of each other: every one is a process.
const MODELS = [["yggdrasil", 100], ["values", 6], ["formkiq", 8], ["processproof", 6], ["authorization", 6]];
let browser;
let server;

before(async () => {
  browser = await chromium.launch(launchOptions());
  server = await start("demo", "--port", String(await freePort()));
});
after(async () => {
  await browser?.close();
  await stopAll();
});

// The patterns of a model that can be run with values that exist: the command to copy, and what the page says it costs.
async function readPatterns(page, model, most) {
  await page.visit(`/ui/${model}/patterns`);
  return page.evaluate(async (limit) => {
    const parse = (text) => new DOMParser().parseFromString(text, "text/html");
    const links = [...document.querySelectorAll("nav.side a.li")].map((link) => link.href);
    const found = [];
    for (const link of links) {
      if (found.length >= limit) break;
      const shown = parse(await (await fetch(link)).text());
      const numbers = [...shown.querySelectorAll(".cost b")].map((number) => Number(number.textContent.replace("$", "")));
      const command = shown.querySelector("[data-chosen=monotable] [data-copy]")?.dataset.copy;
      const count = Number.parseInt(shown.querySelector("[aria-label=Requests] h2 .grow")?.textContent ?? "", 10);
      if (command && !shown.querySelector(".note.err")) found.push({ command, count, read: numbers[0], write: numbers[1] });
    }
    return found;
  }, most);
}

// Splits a command of the copy panel as a shell does: words, and texts in single quotes.
function split(command) {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}

for (const [model, most] of MODELS) {
  test(`the requests and units of ${model} are those of --explain`, async () => {
    const page = await openPage(browser, server);
    const patterns = await readPatterns(page, model, most);
    assert.ok(patterns.length >= Math.min(most, 6), `${patterns.length} patterns can be run`);
    for (const { command, count, read, write } of patterns) {
      const [, ...words] = split(command);
      const { stdout } = await run(BINARY, [...words, "--explain"], { env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: server.address } });
      const [, requests, reads, writes] = stdout.match(/# (\d+) requests?, ([\d.]+) read units?, ([\d.]+) write units?/) ?? [];
      assert.deepEqual({ command, count, read, write }, { command, count: Number(requests), read: Number(reads), write: Number(writes) });
    }
    console.log(`${model}: ${patterns.length} patterns agree with --explain`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("the patterns that are said to find an item do find it", async () => {
  const page = await openPage(browser, server);
  await page.visit("/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ines");
  const problems = await page.evaluate(async () => {
    const parse = (text) => new DOMParser().parseFromString(text, "text/html");
    const wrong = [];
    const items = [...document.querySelectorAll("a.irow")].slice(0, 12);
    for (const item of items) {
      const shown = parse(await (await fetch(item.href)).text());
      const title = shown.querySelector("[aria-label=Item] .title").textContent;
      const stored = JSON.parse(shown.querySelector("[data-chosen=plain] pre").textContent);
      const finders = [...shown.querySelectorAll("[aria-label='Found by'] a.line")];
      if (finders.length === 0) wrong.push(`${title}: found by nothing`);
      for (const finder of finders) {
        const result = parse(await (await fetch(`${finder.getAttribute("href")}&view=json`)).text());
        const rows = JSON.parse(result.querySelector("pre.js.pad")?.textContent ?? "[]");
        const names = ["PersonId", "TreeId", "UserId", "ParentId", "ChildId", "Person1Id", "Person2Id"].filter((name) => stored[name] !== undefined);
        const isThere = rows.some((row) => row.$entity && names.every((name) => row[name] === stored[name]));
        if (!isThere) wrong.push(`${title}: not found by ${finder.textContent}`);
      }
    }
    return wrong;
  });
  assert.deepEqual(problems, []);
  await page.context().close();
});
