// The Model screen while `dev` runs: fixes and acceptances are shown first, then written to the file, and to nothing else.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { spawnSync } from "node:child_process";
import { BINARY, freePort, start, stopAll } from "./server.mjs";
import { findBarriers, openPage, settle } from "./support.mjs";

const SOUND = readFileSync(new URL("../../models/yggdrasil/model.toml", import.meta.url), "utf8");
const OPEN = SOUND.replace('GSI1    = ["PERSON#{PersonId}", "TREE#*"]', 'GSI1    = ["PERSON#{PersonId}"]');
const HEADERS = { "Monotable-Workbench": "1", "Content-Type": "application/x-www-form-urlencoded" };
let browser;

before(async () => {
  browser = await chromium.launch(launchOptions());
});
after(async () => {
  await browser?.close();
  await stopAll();
});

// A model that is sound when `dev` begins, and then saved with a mistake.
async function startDev(...words) {
  const folder = mkdtempSync(join(tmpdir(), "monotable-"));
  const file = join(folder, "model.toml");
  writeFileSync(file, SOUND);
  const server = await start("dev", file, "--port", String(await freePort()), ...words);
  writeFileSync(file, OPEN);
  return { server, folder, file, read: () => readFileSync(file, "utf8") };
}

async function openFinding(dev, options) {
  const page = await openPage(browser, dev.server, options);
  await page.visit("/ui/yggdrasil/model");
  await page.waitForSelector("article:has-text('stranger_in_query')");
  return page;
}

async function readMark(page) {
  return page.locator("article input[name=text]").first().getAttribute("value");
}

// What a save costs until its finding is shown, beside what the checker alone takes for such a text.
test("a long model is proved again on save for little more than its proof", async () => {
  const folder = mkdtempSync(join(tmpdir(), "monotable-"));
  const file = join(folder, "model.toml");
  const sound = readFileSync(new URL("../../models/formkiq/model.toml", import.meta.url), "utf8");
  writeFileSync(file, sound);
  const server = await start("dev", file, "--port", String(await freePort()));
  const page = await openPage(browser, server);
  await page.visit("/ui/formkiq/model");
  const acceptance = sound.split("\n").find((line) => line.startsWith("accept."));
  const [times, spent] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    const [begin, before] = [performance.now(), server.processorTime()];
    writeFileSync(file, `${sound.replace(`${acceptance}\n`, "")}# ${round}\n`);
    await page.waitForSelector("article.find-note");
    times.push(performance.now() - begin);
    spent.push(server.processorTime() - before);
    writeFileSync(file, sound);
    await page.waitForSelector("article.find-note", { state: "detached" });
  }
  const checks = spawnSync("/bin/sh", ["-c", "for i in 1 2 3 4 5; do \"$0\" check \"$1\"; done > /dev/null; times", BINARY, file], { encoding: "utf8" });
  const [user, system] = checks.stdout.trim().split("\n").pop().split(" ").map((time) => time.match(/(\d+)m([\d.]+)s/)).map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds));
  const [alone, median] = [(user + system) / 5, (numbers) => numbers.sort((a, b) => a - b)[2]];
  console.log(`from save to finding, ${sound.split("\n").length} lines: ${Math.round(1000 * median(spent))} ms of processor time, ${(median(spent) / alone).toFixed(1)} times what \`check\` takes; ${Math.round(median(times))} ms by the clock`);
  assert.ok(median(spent) < 5 * alone, `${median(spent)} s, the checker alone ${alone} s`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await server.stop();
});

describe("a finding", () => {
  for (const scheme of ["light", "dark"]) {
    test(`${scheme}: its fix is shown, written on demand, and the model is proved`, async () => {
      const dev = await startDev();
      const page = await openFinding(dev, { colorScheme: scheme });
      assert.equal(await page.locator("article").count(), 1, "findings of one rule and place are one card");
      await page.click("button:has-text('Close it with')");
      await page.waitForSelector("[data-outcome='Dry run']");
      assert.match(await page.locator(".patch").textContent(), /"TREE#\*"/);
      assert.match(await page.locator("[data-outcome]").textContent(), /The finding is gone/);
      assert.equal(dev.read(), OPEN, "a dry run writes nothing");
      assert.deepEqual(await findBarriers(page), []);
      await page.click("button:has-text('Write it to')");
      await page.waitForSelector(".head .status-ok");
      await page.waitForSelector("[data-outcome=Written]");
      assert.equal(dev.read(), SOUND);
      assert.deepEqual(readdirSync(dev.folder), ["model.toml"], "no draft is left");
      assert.deepEqual(page.problems, []);
      await page.context().close();
      await dev.server.stop();
    });
  }

  test("is accepted with a reason by the keyboard alone, and every remark stays", async () => {
    const dev = await startDev();
    const page = await openFinding(dev);
    await page.locator("summary:has-text('Accept with a reason')").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Relations are told apart by <EntityType> & \"type\"");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
    await page.locator("button:has-text('Write it to')").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".head .status-ok");
    const lines = dev.read().split("\n");
    const added = lines.filter((line) => !OPEN.split("\n").includes(line));
    assert.deepEqual(added, [`accept.stranger_in_query = 'Relations are told apart by <EntityType> & "type"'`]);
    assert.deepEqual(lines.filter((line) => line !== added[0]).join("\n"), OPEN);
    await page.visit("/ui/yggdrasil/model/rules");
    assert.match(await page.locator("tr:has-text('stranger_in_query')").textContent(), /Relations are told apart by <EntityType>/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await dev.server.stop();
  });

  test("without a reason is not accepted", async () => {
    const dev = await startDev();
    const page = await openFinding(dev);
    await page.click("summary:has-text('Accept with a reason')");
    await page.fill("[name=reason]", "   ");
    await page.click("details[open] button:text-is('Accept')");
    await page.waitForSelector("[data-outcome=Refused]:has-text('A reason is wanted')");
    assert.equal(dev.read(), OPEN);
    await page.context().close();
    await dev.server.stop();
  });

  test("of a text that an editor has saved meanwhile changes nothing", async () => {
    const dev = await startDev();
    const page = await openFinding(dev);
    const mark = await readMark(page);
    const theirs = `${OPEN}# Saved by an editor.\n`;
    writeFileSync(dev.file, theirs);
    const answer = await fetch(`${dev.server.address}/ui/yggdrasil/change`, { method: "POST", headers: HEADERS, body: `text=${mark}&finding=0&fix=0` });
    assert.match(await answer.text(), /The file has changed since this page was shown/);
    assert.equal(dev.read(), theirs);
    // The page follows the file, and the same finding can be fixed in the text as it is now.
    await page.waitForFunction((old) => document.querySelector("article input[name=text]")?.value !== old, mark);
    await page.click("button:has-text('Close it with')");
    await page.click("button:has-text('Write it to')");
    await page.waitForSelector(".head .status-ok");
    assert.equal(dev.read(), `${SOUND}# Saved by an editor.\n`);
    await page.context().close();
    await dev.server.stop();
  });

  test("is changed by the page itself only: not by other origins, other hosts or plain forms", async () => {
    const dev = await startDev();
    const page = await openFinding(dev);
    const body = `text=${await readMark(page)}&finding=0&fix=0`;
    const send = (headers) => fetch(`${dev.server.address}/ui/yggdrasil/change`, { method: "POST", headers, body });
    assert.equal((await send({ ...HEADERS, Origin: "http://elsewhere.example" })).status, 403);
    assert.equal((await send({ "Content-Type": HEADERS["Content-Type"] })).status, 403);
    const { request } = await import("node:http");
    const { port } = new URL(dev.server.address);
    const status = await new Promise((resolve, reject) => {
      const foreign = request({ port, host: "127.0.0.1", path: "/ui/yggdrasil/change", method: "POST", headers: { ...HEADERS, Host: "elsewhere.example" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      foreign.on("error", reject);
      foreign.end(body);
    });
    assert.ok(status >= 400, `${status}`);
    assert.equal(dev.read(), OPEN);
    await page.context().close();
    await dev.server.stop();
  });

  test("is only shown by a page that only reads", async () => {
    const dev = await startDev("--workbench", "read-only");
    const page = await openPage(browser, dev.server);
    await page.visit("/ui/yggdrasil/model");
    await page.waitForSelector("article:has-text('stranger_in_query')");
    assert.equal(await page.locator("button:has-text('Close it with'), summary:has-text('Accept')").count(), 0);
    const answer = await fetch(`${dev.server.address}/ui/yggdrasil/change`, { method: "POST", headers: HEADERS, body: "text=x&finding=0&fix=0" });
    assert.equal(answer.status, 403);
    assert.equal(dev.read(), OPEN);
    await page.context().close();
    await dev.server.stop();
  });

  test("opens in the reader's editor, at its line", async () => {
    const line = OPEN.split("\n").findIndex((text) => text.startsWith("[access.person_by_id]")) + 1;
    const dev = await startDev();
    const page = await openFinding(dev);
    assert.equal(await page.locator("article a:has-text('Open in editor')").getAttribute("href"), `vscode://file${dev.file}:${line}`);
    assert.equal(await page.locator(".head a:has-text('Open in editor')").getAttribute("href"), `vscode://file${dev.file}:${line}`);
    await page.context().close();
    await dev.server.stop();
    const other = await startDev("--editor", "own://{file}?{line}");
    const second = await openFinding(other);
    assert.equal(await second.locator("article a:has-text('Open in editor')").getAttribute("href"), `own://${other.file}?${line}`);
    await second.context().close();
    await other.server.stop();
  });
});

describe("a text to try", () => {
  for (const scheme of ["light", "dark"]) {
    test(`${scheme}: is checked in the demo, and never saved`, async () => {
      const server = await start("demo", "--port", String(await freePort()));
      const page = await openPage(browser, server, { colorScheme: scheme });
      await page.visit("/ui/yggdrasil/model");
      assert.equal(await page.locator("text=Open in editor").count(), 0, "the demo has no files");
      await page.click("nav ~ main >> a:text-is('Try')").catch(() => page.click("a:text-is('Try')"));
      await page.waitForSelector("#trial-text");
      assert.equal(await page.inputValue("#trial-text"), SOUND);
      await page.fill("#trial-text", OPEN);
      await page.keyboard.press("Control+Enter");
      await page.waitForSelector("[data-outcome] article:has-text('stranger_in_query')");
      assert.equal(await page.inputValue("#trial-text"), OPEN, "the text stays in the box");
      assert.deepEqual(await findBarriers(page), []);
      await page.visit("/ui/yggdrasil/model");
      await settle(page);
      assert.match(await page.locator(".head").textContent(), /proved/);
      assert.deepEqual(page.problems, []);
      await page.context().close();
      await server.stop();
    });
  }
});
