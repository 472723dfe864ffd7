// Screens against committed pictures, by tolerance. `MONOTABLE_BLESS=1 tests/browser/run pictures` takes them anew: look at them.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { compare } from "./compare.mjs";
import { launchOptions } from "./launch.mjs";
import { freePort, start, stopAll } from "./server.mjs";
import { openPage, steady } from "./support.mjs";

const FOLDER = new URL("./screenshots/", import.meta.url).pathname;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
// The part of all points that may differ: fonts are drawn a little differently from machine to machine.
const TOLERANCE = 0.01;
const SCREENS = [
  ["home", "/ui/", WIDE, "light"],
  ["patterns", "/ui/yggdrasil/patterns/whole_tree?p.TreeId=carvalho&run=1", WIDE, "light"],
  ["patterns-dark", "/ui/yggdrasil/patterns/children_of_person?p.UserId=astrid&p.ParentId=anders&run=1", WIDE, "dark"],
  ["items", "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ines", WIDE, "light"],
  ["items-phone", "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ines", PHONE, "light"],
  ["entities-dark", "/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=carvalho", WIDE, "dark"],
  ["new", "/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=carvalho&new=1", WIDE, "light"],
  ["delete", "/ui/yggdrasil/entities/Tree?delete=%7B%22UserId%22%3A%22ines%22%2C%22TreeId%22%3A%22carvalho%22%7D", WIDE, "light"],
  ["model", "/ui/yggdrasil/model", WIDE, "light"],
  ["keys", "/ui/yggdrasil/model/keys", WIDE, "light"],
  ["repositories", "/ui/values/repositories/values?key=%7B%22userId%22%3A%22ada%22%7D", WIDE, "light"],
  ["home-phone", "/ui/", PHONE, "dark"],
];
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

for (const [name, path, viewport, colorScheme] of SCREENS) {
  test(`pictures: ${name} looks as it did`, async () => {
    const page = await openPage(browser, server, { viewport, colorScheme, reducedMotion: "reduce" });
    await page.visit(path);
    await steady(page);
    const taken = await page.screenshot({ caret: "hide", animations: "disabled" });
    const file = `${FOLDER}${name}.png`;
    if (process.env.MONOTABLE_BLESS) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, taken);
    }
    assert.ok(existsSync(file), `there is no picture of ${name}: MONOTABLE_BLESS=1 tests/browser/run pictures takes it`);
    const part = await compare(browser, readFileSync(file), taken);
    if (part > TOLERANCE) {
      const seen = join(tmpdir(), `monotable-${name}.png`);
      writeFileSync(seen, taken);
      assert.fail(`${(part * 100).toFixed(2)} % of ${name} differ from ${file}; what was seen is in ${seen}`);
    }
    await page.context().close();
  });
}

test("pictures: a comparison sees a button that is gone, and nothing in the same page twice", async () => {
  const page = await openPage(browser, server, { viewport: WIDE });
  await page.visit("/ui/yggdrasil/entities/Person");
  await steady(page);
  const options = { caret: "hide", animations: "disabled" };
  const first = await page.screenshot(options);
  assert.ok((await compare(browser, first, await page.screenshot(options))) <= TOLERANCE / 10);
  await page.evaluate(() => { document.querySelector(".panel").hidden = true; });
  assert.ok((await compare(browser, first, await page.screenshot(options))) > TOLERANCE);
  await page.context().close();
});
