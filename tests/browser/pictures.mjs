// Makes the pictures of the documentation: `tests/browser/pictures`, with a program that is built.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { BINARY, freePort, start } from "./server.mjs";
import { openPage, steady } from "./support.mjs";

const FOLDER = new URL("../../docs/pictures/", import.meta.url).pathname;
const VIEWPORT = { width: 1280, height: 800 };

async function take(server, file, path, prepare = async () => {}, colorScheme = "light") {
  const page = await openPage(browser, server, { viewport: VIEWPORT, colorScheme, reducedMotion: "reduce" });
  await page.visit(path);
  await prepare(page);
  await steady(page);
  await page.screenshot({ path: `${FOLDER}${file}`, caret: "hide", animations: "disabled" });
  await page.context().close();
}

// Some calls of a program, so that there is something to see.
async function work(server) {
  const send = (method, path, body) => fetch(`${server.address}/v1/yggdrasil/${path}`, { method, headers: { "content-type": "application/json", "user-agent": "orders-service" }, body: body && JSON.stringify(body) });
  for (let round = 0; round < 30; round += 1) {
    await send("GET", "patterns/persons_of_tree?TreeId=lindqvist");
    if (round % 3 === 0) await send("GET", "patterns/whole_tree?TreeId=carvalho");
    if (round % 5 === 0) await send("GET", "entities/User/ines");
  }
  await send("POST", "entities/User", { UserId: "eve", Email: "ASTRID.Lindqvist@example.org", PasswordHash: "x" });
  await send("DELETE", "entities/Person/ines/tome");
}

const browser = await chromium.launch(launchOptions());
const demo = await start("demo", "--port", String(await freePort()));
await take(demo, "workbench.png", "/ui/yggdrasil/patterns/whole_tree?p.TreeId=carvalho&run=1");
await take(demo, "workbench-items.png", "/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23ines");
await take(demo, "workbench-delete.png", "/ui/yggdrasil/entities/Person?delete=%7B%22UserId%22%3A%22ines%22%2C%22PersonId%22%3A%22alvaro%22%7D");
await work(demo);
await take(demo, "workbench-activity.png", "/ui/activity", async (page) => {
  await page.click("a.call:has-text('delete') >> nth=0");
  await page.waitForSelector("tr.inner");
}, "dark");
await demo.stop();

// The model of the tutorial, with its sample.
const folder = mkdtempSync(join(tmpdir(), "monotable-"));
await once(spawn(BINARY, ["init"], { cwd: folder, stdio: "ignore" }), "exit");
// The page names the file as the command does.
process.chdir(folder);
const dev = await start("dev", "model.toml", "--port", String(await freePort()));
await take(dev, "tutorial.png", "/ui/notes/patterns", async (page) => {
  await page.click("nav.side a.li:has-text('notes_of_topic')");
  await page.waitForSelector("table.grid");
});
await dev.stop();
await browser.close();
