// The workbench in a real Chromium: every screen on all five demo stores, edits and refusals, two pages, a server that goes away.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { freePort, start, stopAll } from "./server.mjs";
import { findBarriers, findOverflow, openPage, settle } from "./support.mjs";

const MODELS = ["yggdrasil", "values", "formkiq", "processproof", "authorization"];
const SCREENS = ["patterns", "items", "entities", "model", "model/keys", "model/rules", "repositories"];
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

async function runFirstPattern(page) {
  await page.locator("nav.side a.li").first().click();
  await settle(page);
}

describe("screens", () => {
  for (const scheme of ["light", "dark"]) {
    for (const width of [1440, 1100, 390]) {
      test(`every screen, ${scheme}, ${width} wide: axe finds nothing`, async () => {
        const page = await openPage(browser, server, { colorScheme: scheme, viewport: { width, height: 900 } });
        const found = [];
        const look = async (path) => {
          await page.visit(path);
          if (path.endsWith("patterns") && width > 720) await runFirstPattern(page);
          for (const barrier of await findBarriers(page)) found.push(`${path}: ${barrier}`);
          for (const wide of await findOverflow(page)) found.push(`${path}: ${wide}`);
        };
        for (const path of ["/ui/", "/ui/activity", "/ui/values/repositories"]) await look(path);
        for (const screen of SCREENS) await look(`/ui/yggdrasil/${screen}`);
        assert.deepEqual(found, []);
        assert.deepEqual(page.problems, []);
        await page.context().close();
      });
    }
  }

  for (const model of MODELS) {
    test(`every screen of ${model} shows without an error, also on a phone`, async () => {
      const page = await openPage(browser, server);
      const phone = await openPage(browser, server, { viewport: { width: 390, height: 844 } });
      for (const screen of SCREENS) {
        await page.visit(`/ui/${model}/${screen}`);
        if (screen === "patterns") await runFirstPattern(page);
        assert.equal(await page.locator("main").count(), 1);
        await phone.visit(`/ui/${model}/${screen}`);
        assert.deepEqual(await findOverflow(phone), [], screen);
      }
      assert.deepEqual([...page.problems, ...phone.problems], []);
      await page.context().close();
      await phone.context().close();
    });
  }

  test("an address is the whole state: reload and back give the same screen", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=holm&run=1");
    const rows = await page.locator("tbody tr").count();
    assert.ok(rows > 3, `${rows}`);
    await page.click("text=JSON");
    await page.waitForURL(/view=json/);
    await page.goBack();
    await page.waitForSelector("table.grid");
    await page.reload();
    assert.equal(await page.locator("tbody tr").count(), rows);
    await page.context().close();
  });

  test("in a window of 1100 px the evidence is a drawer, which a dry run opens and Escape closes", async () => {
    const page = await openPage(browser, server, { viewport: { width: 1100, height: 900 } });
    await page.visit("/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=okafor");
    const panel = page.locator("main .panel");
    assert.equal(await panel.isVisible(), false);
    await page.locator("td[data-attribute=DeathPlace]").first().dblclick();
    await page.keyboard.type("Elsewhere");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']", { state: "visible" });
    assert.equal(await page.locator("[data-panel]").getAttribute("aria-expanded"), "true");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await panel.isVisible(), false);
    await page.click("[data-panel]");
    assert.equal(await panel.isVisible(), true);
    await page.click("[data-discard]");
    await page.visit("/ui/");
    assert.equal(await page.locator("[data-panel]").isVisible(), false, "a screen without evidence has no drawer");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("on a phone partitions and indexes are chosen from a list", async () => {
    const page = await openPage(browser, server, { viewport: { width: 390, height: 844 } });
    await page.visit("/ui/yggdrasil/items");
    await page.selectOption("[aria-label=Partition]", { label: await page.locator("[aria-label=Partition] option:has-text('USER#marcus')").first().textContent() });
    await page.waitForURL(/partition=USER%23marcus/);
    await page.waitForSelector(".irow");
    await page.click("[aria-label='Table or index'] >> text=GSI3");
    await page.waitForURL(/items\/Yggdrasil\/GSI3/);
    assert.deepEqual(await findOverflow(page), []);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("without scripts the pages work as plain documents", async () => {
    const page = await openPage(browser, server, { javaScriptEnabled: false });
    await page.goto(`${server.address}/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=holm&run=1`);
    assert.ok((await page.locator("tbody tr").count()) > 3);
    await page.click("text=Items");
    await page.waitForURL(/items/);
    assert.ok((await page.locator(".irow").count()) > 3);
    await page.context().close();
  });
});

describe("the pattern runner", () => {
  test("runs with the keyboard alone, pages, and copies as a command", async () => {
    const page = await openPage(browser, server, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.visit("/ui/yggdrasil/patterns/persons_of_tree");
    await page.fill("[name='p.TreeId']", "lindqvist");
    await page.fill("#limit", "5");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/p\.TreeId=lindqvist/);
    await settle(page);
    assert.equal(await page.locator("tbody tr").count(), 5);
    const first = await page.locator("tbody tr").first().textContent();
    await page.click("text=Next page");
    await page.waitForURL(/cursor=/);
    await settle(page);
    assert.notEqual(await page.locator("tbody tr").first().textContent(), first);
    const shown = (await page.locator(".copy-as .code:not([hidden]) pre").textContent()).trim();
    assert.equal(shown, "monotable query -m yggdrasil persons_of_tree TreeId=lindqvist --limit 5");
    assert.match(await page.locator(".cost").textContent(), /read units/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("what curl is told to do gives the same rows", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=holm&run=1");
    const text = await page.locator("[data-chosen=curl] pre").textContent();
    const address = text.match(/http:[^ ']+/)[0];
    const answer = await (await fetch(address)).json();
    assert.equal(answer.rows.length, await page.locator("tbody tr").count());
    await page.context().close();
  });

  test("is copied as Rust beside the other forms", async () => {
    const page = await openPage(browser, server, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.visit("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=holm&limit=5&run=1");
    await page.click(".copy-as button:text-is('Rust')");
    await page.keyboard.press("y");
    await page.waitForSelector(".copy-as [data-copied]");
    const copied = await page.evaluate(() => navigator.clipboard.readText()).catch(() => null);
    const text = copied ?? (await page.locator("[data-chosen=Rust] pre").textContent());
    assert.match(text, /\.with\("TreeId", "holm"\)/);
    assert.match(text, /store\.query\("persons_of_tree", parameters\)\.limit\(5\)\.await\?/);
    assert.deepEqual(await page.locator(".copy-as [data-choice]").allTextContents(), ["monotable", "aws", "TypeScript", "Rust", "curl"]);
    await page.context().close();
  });
});

describe("edits", () => {
  test("a cell is changed by keys: dry run first, then applied, and another page sees it", async () => {
    const page = await openPage(browser, server);
    const other = await openPage(browser, server);
    const address = "/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=okafor";
    await page.visit(address);
    await other.visit(address);
    const cell = page.locator("td[data-attribute=FirstName]").first();
    const before = await cell.textContent();
    await cell.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Renamed");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
    assert.match(await page.locator("#changes-bar").textContent(), /1 change to 1 row/);
    assert.equal(await other.locator("td[data-attribute=FirstName]").first().textContent(), before);
    await page.keyboard.press("Control+s");
    await page.waitForSelector("[data-outcome=Written]");
    assert.equal(await page.locator("td[data-attribute=FirstName]").first().textContent(), "Renamed");
    await other.waitForFunction(() => document.querySelector("td[data-attribute=FirstName]")?.textContent === "Renamed");
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await other.context().close();
  });

  test("a conflict between two pages is refused with its reason, and nothing is written", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=holm");
    const cell = page.locator("td[data-attribute=LastName]").first();
    const row = JSON.parse(await page.locator("tbody tr").first().getAttribute("data-key"));
    await cell.dblclick();
    await page.keyboard.type("Mine");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
    const answer = await fetch(`${server.address}/v1/yggdrasil/entities/Person/${row.UserId}/${row.PersonId}`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ LastName: "Theirs" }),
    });
    assert.equal(answer.status, 200);
    await page.keyboard.press("Control+s");
    await page.waitForSelector("[data-outcome=Refused]");
    assert.match(await page.locator("#evidence").textContent(), /Conflict/);
    await page.click("[data-discard]");
    await page.waitForFunction(() => document.querySelector("td[data-attribute=LastName]")?.textContent === "Theirs");
    await page.context().close();
  });

  test("a form shows every error at its field, then creates the row", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/entities/User");
    await page.click("text=New User");
    await page.waitForSelector("dialog[open] [name='set.Email']");
    await page.fill("[name='set.Email']", " INES.carvalho@example.org ");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("dialog [aria-invalid=true]");
    await page.fill("[name='set.PasswordHash']", "correct horse");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("text=Another user has this e-mail address");
    assert.deepEqual(await findBarriers(page), []);
    await page.fill("[name='set.Email']", "new@example.org");
    await page.fill("[name='set.UserId']", "newcomer").catch(() => {});
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("[data-outcome=Written]");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a delete shows its cascade first, and Escape gives it up", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/entities/Tree");
    await page.locator("a[aria-label='Delete this Tree']").first().click();
    await page.waitForSelector("dialog[open]");
    const text = await page.locator("dialog[open]").textContent();
    assert.match(text, /This is a dry run: nothing is written yet/);
    assert.match(text, /Person/);
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.waitForURL((address) => !address.search.includes("delete="));
    await page.locator("a[aria-label='Delete this Tree']").first().click();
    await page.waitForSelector("dialog[open]");
    await page.click("dialog[open] .danger");
    await page.waitForSelector("[data-outcome=Written]");
    const verified = await page.evaluate(async () => {
      const answer = await fetch("/ui/yggdrasil/verify", { method: "POST", headers: { "Monotable-Workbench": "1" } });
      return answer.json();
    });
    assert.deepEqual(verified, { verified: true });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a rollback is tried out, then made, and the head moves", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/values/repositories");
    const before = await page.locator(".rev:has(.badge:text-is('head'))").textContent();
    await page.click("text=Dry run of a rollback");
    await page.waitForSelector("[data-outcome='Dry run']");
    await page.click("button:text-is('Roll back')");
    await page.waitForSelector("[data-outcome=Written]");
    assert.notEqual(await page.locator(".rev:has(.badge:text-is('head'))").textContent(), before);
    await page.context().close();
  });
});

describe("everything else", () => {
  test("the palette finds a key and opens its partition", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/patterns");
    await page.keyboard.press("Control+k");
    await page.fill("#palette-words", "USER#ines");
    await page.waitForSelector("#palette-list [role=option]:has-text('Partition USER#ines')");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL(/items.*partition=USER%23ines/);
    await page.waitForSelector(".irow");
    await page.context().close();
  });

  test("keys go to every screen", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/patterns");
    for (const [key, path] of [["i", "items"], ["e", "entities"], ["m", "model"], ["r", "repositories"], ["p", "patterns"], ["a", "activity"], ["h", ""]]) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.waitForURL((address) => address.pathname.endsWith(path) || address.pathname.endsWith("/ui/"));
      await settle(page);
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("calls of programs appear while the page is open", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/activity");
    await fetch(`${server.address}/v1/yggdrasil/entities/User/nobody-at-all`);
    await page.waitForSelector("text=nobody-at-all");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a call opens into what it wrote, and its partition is among the hottest", async () => {
    const page = await openPage(browser, server);
    const link = { UserId: "astrid", TreeId: "holm", PersonId: "short-lived", FirstName: "Short", LastName: "Lived", Gender: "Other" };
    const made = await fetch(`${server.address}/v1/yggdrasil/entities/Person`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(link) });
    assert.equal(made.status, 201);
    for (let round = 0; round < 10; round += 1) await fetch(`${server.address}/v1/yggdrasil/patterns/persons_of_tree?TreeId=holm`);
    await fetch(`${server.address}/v1/yggdrasil/entities/Person/astrid/short-lived`, { method: "DELETE" });
    await page.visit("/ui/activity?kind=writes");
    await page.click("a.call:has-text('create') >> nth=0");
    await page.waitForSelector("tr.inner");
    const inside = await page.locator("tr.inner").textContent();
    for (const text of ["Person", "entity.Person.unique.PersonId", "Tree", "TransactWriteItems"]) assert.match(inside, new RegExp(text), text);
    assert.match(await page.locator(".hottest").textContent(), /TREE#holm/);
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a server that goes away is said, and the page goes on when it is back", async () => {
    const port = String(await freePort());
    let own = await start("demo", "--port", port);
    const page = await openPage(browser, own);
    await page.visit("/ui/yggdrasil/entities/Tree");
    page.isDown = true;
    await own.stop();
    await page.waitForSelector("#connection:not([hidden]) >> text=No answer from");
    assert.ok((await page.locator("tbody tr").count()) > 0, "the last rows stay");
    own = await start("demo", "--port", port);
    await page.waitForSelector("#connection", { state: "hidden", timeout: 60_000 });
    await page.context().close();
    await own.stop();
  });

  test("dev proves a model again when it is saved, and shows the finding", async () => {
    const folder = mkdtempSync(join(tmpdir(), "monotable-"));
    const file = join(folder, "model.toml");
    const text = readFileSync(new URL("../../models/yggdrasil/model.toml", import.meta.url), "utf8");
    writeFileSync(file, text);
    const own = await start("dev", file, "--port", String(await freePort()));
    const page = await openPage(browser, own);
    await page.visit("/ui/yggdrasil/model");
    assert.match(await page.locator(".head").textContent(), /proved/);
    writeFileSync(file, text.replace('GSI1    = ["PERSON#{PersonId}", "TREE#*"]', 'GSI1    = ["PERSON#{PersonId}"]'));
    await page.waitForSelector("text=stranger_in_query");
    assert.match(await page.locator(".head").textContent(), /still runs the version before/);
    assert.match(await page.locator(".find-note").first().textContent(), /In your data\s*no such rows yet/);
    assert.deepEqual(await findBarriers(page), []);
    writeFileSync(file, text);
    await page.waitForSelector(".head .status-ok");
    await page.context().close();
    await own.stop();
  });

  test("where callers sign in, nothing is shown without a key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "monotable-"));
    const file = join(folder, "auth.toml");
    const { createHash } = await import("node:crypto");
    const sha256 = createHash("sha256").update("open sesame").digest("hex");
    writeFileSync(file, `[[key]]\nname = "page"\nsha256 = "${sha256}"\nprincipal = { UserId = "ann" }\nmodels = ["yggdrasil"]\n`);
    const model = new URL("../../models/yggdrasil/model.toml", import.meta.url).pathname;
    const own = await start("serve", model, "--in-memory", "--auth", file, "--port", String(await freePort()));
    const page = await openPage(browser, own);
    page.isDown = true;
    await page.visit("/ui/yggdrasil/patterns");
    assert.match(await page.locator("main").textContent(), /knows its callers/);
    assert.deepEqual(await findBarriers(page), []);
    await page.fill("[name=key]", "wrong");
    await page.click("text=Sign in");
    await page.waitForSelector("#signin-problem:not([hidden])");
    await page.fill("[name=key]", "open sesame");
    await page.click("text=Sign in");
    await page.waitForSelector("nav.tabs");
    assert.ok(!page.url().includes("sesame"));
    await page.goto(`${own.address}/ui/yggdrasil/items`);
    await page.waitForSelector("text=Stored items are not shown to this caller");
    await page.context().close();
    await own.stop();
  });

  test("what the first page loads is small", async () => {
    const page = await openPage(browser, server);
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    let bytes = 0;
    let files = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      files += 1;
    });
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(`${server.address}/ui/`);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    const { metrics } = await session.send("Performance.getMetrics");
    const spent = 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
    // The stream of events never ends, so the network is never idle: everything else is there after a moment.
    await page.waitForLoadState("load");
    await page.waitForTimeout(1000);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    console.log(`first load: ${files} files, ${(bytes / 1024).toFixed(1)} KB compressed, first content after ${Math.round(spent)} ms of processor time (${Math.round(paint ?? 0)} ms by the clock)`);
    assert.ok(bytes < 100 * 1024, `${bytes}`);
    assert.ok(files <= 30, `${files}`);
    assert.ok(spent < 300, `${spent} ms of processor time until the first content`);
    await page.context().close();
  });
});

describe("long partitions", () => {
  test("an item is chosen without losing the rows before it", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23astrid");
    const list = page.locator("[data-windows]");
    const last = page.locator(".irow").last();
    for (let step = 0; step < 60 && (await page.locator(".more-rows").count()) > 0; step += 1) {
      await list.evaluate((node) => { node.scrollTop = node.scrollHeight; });
      await page.waitForTimeout(100);
    }
    const key = await last.locator(".key").first().textContent();
    await last.click();
    await page.waitForURL(/item=/);
    await settle(page);
    assert.ok((await page.locator("aside[aria-label=Item]").textContent()).includes(key), `the evidence is about ${key}`);
    assert.equal(await page.locator(".irow[aria-current]").count(), 1);
    await list.evaluate((node) => { node.scrollTop = 0; });
    await page.waitForSelector(".irow:has-text('PERSON#anders')");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("100,000 items scroll with a bounded number of rows in the page, and their end is one click away", async () => {
    const own = await start("serve", new URL("../../models/yggdrasil/model.toml", import.meta.url).pathname, "--in-memory", "--port", String(await freePort()));
    const call = (operation, body) => fetch(own.address, {
      method: "POST",
      headers: { "x-amz-date": "20260101T000000Z", "x-amz-target": `DynamoDB_20120810.${operation}`, "content-type": "application/x-amz-json-1.0", authorization: "AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0" },
      body: JSON.stringify(body),
    });
    const total = 100_000;
    const name = (number) => `p${String(number).padStart(6, "0")}`;
    const write = async (first) => {
      const puts = Array.from({ length: 25 }, (_, at) => {
        const id = name(first + at);
        return { PutRequest: { Item: { PK: { S: "USER#long" }, SK: { S: `PERSON#${id}` }, EntityType: { S: "Person" }, UserId: { S: "long" }, PersonId: { S: id }, FirstName: { S: id } } } };
      });
      const answer = await call("BatchWriteItem", { RequestItems: { Yggdrasil: puts } });
      assert.equal(answer.status, 200, await answer.text());
    };
    let next = 0;
    const worker = async () => {
      for (; next < total;) {
        const first = next;
        next += 25;
        await write(first);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const page = await openPage(browser, own);
    await page.visit("/ui/yggdrasil/items/Yggdrasil/table?partition=USER%23long");
    // Screen after screen, as a reader turns the wheel: each is there before the next one.
    let most = 0;
    const times = [];
    for (let screen = 0; screen < 150; screen += 1) {
      const begin = Date.now();
      const rows = await page.evaluate(async () => {
        const list = document.querySelector("[data-windows]");
        const box = list.getBoundingClientRect();
        list.scrollTop += list.clientHeight;
        const isFilled = () => document.elementFromPoint(box.left + 60, box.top + 30)?.closest(".irow") && document.elementFromPoint(box.left + 60, box.bottom - 60)?.closest(".irow");
        while (!isFilled()) await new Promise((resolve) => requestAnimationFrame(resolve));
        return document.querySelectorAll(".irow").length;
      });
      times.push(Date.now() - begin);
      most = Math.max(most, rows);
    }
    times.sort((a, b) => a - b);
    console.log(`100,000 items: at most ${most} rows in the page at once; a screen further took ${times[75]} ms (median), ${times[142]} ms (p95)`);
    assert.ok(most <= 60, `${most}`);
    // Back at the beginning, the rows that were given back are there again.
    await page.evaluate(() => { document.querySelector("[data-windows]").scrollTop = 0; });
    await page.waitForSelector(`.irow:has-text('${name(0)}')`);
    await page.click("text=Last items first");
    await page.waitForSelector(`.irow:has-text('${name(total - 1)}')`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await own.stop();
  });
});
