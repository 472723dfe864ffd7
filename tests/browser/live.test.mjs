// Live pages: one stream of events in place of questions, and a server that ends although pages listen.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { freePort, start, stopAll } from "./server.mjs";
import { flood } from "./flood.mjs";
import { openPage } from "./support.mjs";

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

test("a page listens to one stream, and shows many calls with few pages", async () => {
  const page = await openPage(browser, server);
  const asked = { events: 0, pages: 0 };
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/ui/events") asked.events += 1;
    if (pathname === "/ui/activity") asked.pages += 1;
  });
  await page.visit("/ui/activity");
  const calls = 300;
  for (let number = 0; number < calls; number += 1) await fetch(`${server.address}/v1/yggdrasil/entities/User/caller-${number}`);
  await page.waitForSelector(`text=caller-${calls - 1}`);
  assert.equal(asked.events, 1, "the page does not ask again and again");
  assert.ok(asked.pages < calls / 5, `${asked.pages} pages for ${calls} calls`);
  assert.ok((await page.locator("a.call").count()) <= 200, "the page keeps 200 lines");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a paused page stays as it is, and goes on", async () => {
  const page = await openPage(browser, server);
  await page.visit("/ui/activity");
  await page.click("[data-pause]");
  await fetch(`${server.address}/v1/yggdrasil/entities/User/while-paused`);
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("text=while-paused").count(), 0);
  await page.click("[data-pause]");
  await page.waitForSelector("text=while-paused");
  await page.context().close();
});

test("a page that nobody sees does not listen", async () => {
  const page = await openPage(browser, server);
  await page.visit("/ui/activity");
  const setVisibility = (state) => page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
  await setVisibility("hidden");
  await fetch(`${server.address}/v1/yggdrasil/entities/User/while-hidden`);
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("text=while-hidden").count(), 0);
  assert.equal(await page.locator("#connection:not([hidden])").count(), 0, "a page that does not listen misses nothing");
  await setVisibility("visible");
  await page.waitForSelector("text=while-hidden");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a server ends although pages listen", async () => {
  const own = await start("demo", "--port", String(await freePort()));
  const page = await openPage(browser, own);
  await page.visit("/ui/activity");
  page.isDown = true;
  // A server waits half a minute for answers in progress. Events are none.
  const ended = await Promise.race([own.stop().then(() => "ended"), new Promise((resolve) => setTimeout(resolve, 20_000, "waits"))]);
  assert.equal(ended, "ended");
  await page.waitForSelector("#connection:not([hidden]) >> text=No answer from");
  await page.context().close();
});

test("a busy program is counted whole, and is shown with few pages and lines", async () => {
  const model = new URL("../../models/yggdrasil/model.toml", import.meta.url).pathname;
  const serve = async (mode) => start("serve", model, "--in-memory", "--workbench", mode, "--port", String(await freePort()));
  const wish = { rate: 5000, seconds: 12, operation: "GetItem", body: { TableName: "Yggdrasil", Key: { PK: { S: "USER#ada" }, SK: { S: "PROFILE" } } } };
  const measure = async (server) => {
    const before = server.processorTime();
    const { answered, took } = await flood(server.address, wish);
    return { rate: answered / took, took, share: (server.processorTime() - before) / took, each: (server.processorTime() - before) / answered };
  };
  const [without, own] = [await serve("off"), await serve("on")];
  const [bare, unseen] = [await measure(without), await measure(own)];
  const page = await openPage(browser, own);
  let pages = 0;
  await page.visit("/ui/activity");
  page.on("request", (request) => { if (new URL(request.url()).pathname === "/ui/activity") pages += 1; });
  const seen = await measure(own);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  console.log(`${Math.round(seen.rate)} calls a second: ${(pages / seen.took).toFixed(1)} pages a second; the server used ${percent(bare.share)} of a core without a page (${Math.round(bare.rate)} calls a second), ${percent(unseen.share)} with one that nobody looks at, ${percent(seen.share)} with one that is open; a call costs ${(unseen.each / bare.each).toFixed(2)} and ${(seen.each / bare.each).toFixed(2)} times as much`);
  assert.ok(pages <= 10 * seen.took, `${pages} pages in ${seen.took} seconds`);
  assert.ok((await page.locator("a.call").count()) <= 200, "the page keeps 200 lines");
  const shown = Number(await page.locator(".tile b").first().textContent());
  assert.ok(shown > seen.rate / 2 && shown < 2 * seen.rate, `${shown} calls a second are shown, there were ${seen.rate}`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await without.stop();
  await own.stop();
});
