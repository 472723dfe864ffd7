// A page over tables elsewhere, as over Amazon DynamoDB: it reads what the reader asks for, says what that cost, and changes nothing
// unless it is told that it may.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { freePort, start, stopAll } from "./server.mjs";
import { findBarriers, findOverflow, openPage } from "./support.mjs";

const MODEL = new URL("../../models/yggdrasil/model.toml", import.meta.url).pathname;
const VALUES = new URL("../../models/values/model.toml", import.meta.url).pathname;
const TREE = encodeURIComponent(JSON.stringify({ UserId: "ada", TreeId: "byron" }));
const SCREENS = ["/ui/", "/ui/activity", ...["patterns", "patterns/persons_of_tree", "items", "entities", "entities/Person", "model", "model/keys", "model/rules", "repositories"].map((screen) => `/ui/yggdrasil/${screen}`), "/ui/values/repositories"];
let browser;
let origin;

// The client of AWS wants credentials, whoever is asked.
Object.assign(process.env, { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" });

before(async () => {
  browser = await chromium.launch(launchOptions());
  origin = await start("serve", MODEL, VALUES, "--in-memory", "--port", String(await freePort()));
  const post = (entity, values) => fetch(`${origin.address}/v1/yggdrasil/entities/${entity}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values) });
  for (const [entity, values] of [
    ["User", { UserId: "ada", Email: "ada@example.com", PasswordHash: "x" }],
    ["Tree", { UserId: "ada", TreeId: "byron", TreeName: "Byron" }],
    ["Person", { UserId: "ada", TreeId: "byron", PersonId: "george", FirstName: "George", LastName: "Byron", Gender: "Male" }],
  ]) assert.equal((await post(entity, values)).status, 201, entity);
});
after(async () => {
  await browser?.close();
  await stopAll();
});

async function startOver(...words) {
  return start("serve", MODEL, VALUES, "--endpoint-url", origin.address, "--region", "local", "--port", String(await freePort()), ...words);
}

// The requests that have read items of the tables, as their own server lists them.
async function countReads() {
  const text = await (await fetch(`${origin.address}/ui/activity?kind=reads`)).text();
  return [...text.matchAll(/>(GetItem|BatchGetItem|TransactGetItems|Query|Scan)</g)].length;
}

describe("a page over tables elsewhere", () => {
  for (const scheme of ["light", "dark"]) {
    test(`${scheme}: every screen opens without reading an item, and says so`, async () => {
      const server = await startOver();
      const before = await countReads();
      for (const width of [1440, 1100, 390]) {
        const page = await openPage(browser, server, { colorScheme: scheme, viewport: { width, height: 900 } });
        for (const path of SCREENS) {
          await page.visit(path);
          assert.deepEqual(await findBarriers(page), [], `${path} at ${width}`);
          assert.deepEqual(await findOverflow(page), [], `${path} at ${width}`);
        }
        assert.equal((await fetch(`${server.address}/ui/yggdrasil/find?q=ada`)).status, 200);
        await page.visit("/ui/");
        assert.match(await page.locator("[data-bill]").textContent(), /^0 units, \$0\.00$/);
        assert.match(await page.locator(".home .note").textContent(), /read only.*0 read units/s);
        assert.deepEqual(page.problems, []);
        await page.context().close();
      }
      assert.equal(await countReads(), before, "the tables were read");
      await server.stop();
    });
  }

  test("what the reader asks for is read, and is on the bill", async () => {
    const server = await startOver();
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/patterns/persons_of_tree");
    await page.fill("[name='p.TreeId']", "byron");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("tbody tr:has-text('George')");
    assert.match(await page.locator("[data-bill]").textContent(), /^(0\.5|1) units, \$0\.0000001/);
    await page.visit("/ui/yggdrasil/entities/Person");
    assert.match(await page.locator("main").textContent(), /Nothing was read yet/);
    await page.fill("main form [name^='p.']", "byron");
    await page.click("button:text-is('Show')");
    await page.waitForSelector("tbody tr:has-text('George')");
    await page.visit("/ui/yggdrasil/items");
    assert.match(await page.locator("main").textContent(), /Partitions are not listed/);
    await page.fill("[name=partition]", "USER#ada");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".irow:has-text('PERSON#george')");
    assert.doesNotMatch(await page.locator("[data-bill]").textContent(), /^(0|0\.5|1) units/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await server.stop();
  });

  test("a repository is shown by its key", async () => {
    const server = await startOver();
    const page = await openPage(browser, server);
    await page.visit("/ui/values/repositories");
    await page.fill("[name='k.userId']", "nobody");
    await page.click("button:has-text('Show its revisions')");
    await page.waitForURL(/k\.userId=nobody/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await server.stop();
  });

  test("changes nothing unless it may", async () => {
    const rename = { method: "POST", headers: { "Monotable-Workbench": "1" }, body: `do=update&of=Tree&key=${TREE}&set.TreeName=Milbanke` };
    const read = async () => (await (await fetch(`${origin.address}/v1/yggdrasil/entities/Tree/ada/byron`)).json()).TreeName;
    const careful = await startOver();
    const page = await openPage(browser, careful);
    await page.visit("/ui/yggdrasil/entities/Tree");
    assert.match(await page.locator("header").textContent(), /read only/);
    assert.equal(await page.locator("text=New Tree").count(), 0);
    assert.equal((await fetch(`${careful.address}/ui/yggdrasil/write`, rename)).status, 403);
    assert.equal(await read(), "Byron");
    await page.context().close();
    await careful.stop();
    const bold = await startOver("--workbench", "on");
    const answer = await fetch(`${bold.address}/ui/yggdrasil/write`, rename);
    assert.match(await answer.text(), /data-outcome="Written"/);
    assert.equal(await read(), "Milbanke");
    await bold.stop();
  });

  test("keeps the DynamoDB API of the tables to itself", async () => {
    const server = await startOver();
    const answer = await fetch(server.address, {
      method: "POST",
      headers: { "x-amz-date": "20260101T000000Z", "x-amz-target": "DynamoDB_20120810.ListTables", "content-type": "application/x-amz-json-1.0", authorization: "AWS4-HMAC-SHA256 Credential=test/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0" },
      body: "{}",
    });
    assert.ok(answer.status >= 400, `${answer.status}`);
    assert.doesNotMatch(await answer.text(), /Yggdrasil/);
    await server.stop();
  });

  test("asks callers to sign in where the server knows them", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "monotable-")), "auth.toml");
    const sha256 = createHash("sha256").update("open sesame").digest("hex");
    writeFileSync(file, `[[key]]\nname = "page"\nsha256 = "${sha256}"\nprincipal = { UserId = "ada" }\nmodels = ["yggdrasil"]\n`);
    const server = await startOver("--auth", file);
    const page = await openPage(browser, server);
    page.isDown = true;
    await page.visit("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=byron&run=1");
    assert.match(await page.locator("main").textContent(), /knows its callers/);
    await page.fill("[name=key]", "open sesame");
    await page.click("text=Sign in");
    await page.waitForSelector("tbody tr:has-text('George')");
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${server.address}/ui/yggdrasil/items?partition=USER%23ada`);
    await page.waitForSelector("text=Stored items are not shown to this caller");
    await page.context().close();
    await server.stop();
  });

  test("is refused where the tables are not there", async () => {
    const empty = await start("serve", MODEL, "--in-memory", "--port", String(await freePort()));
    const starting = start("serve", VALUES, "--endpoint-url", empty.address, "--region", "local", "--port", String(await freePort()));
    await assert.rejects(starting, /there is no table/);
    await empty.stop();
  });
});
