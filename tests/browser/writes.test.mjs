// Writes that are refused and why, moves, reverts; and what a caller, a reader and a server without a page may do.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { launchOptions } from "./launch.mjs";
import { freePort, start, stopAll } from "./server.mjs";
import { findBarriers, openPage, settle } from "./support.mjs";

const MODEL = new URL("../../models/yggdrasil/model.toml", import.meta.url).pathname;
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

async function verify(page, model) {
  const verified = await page.evaluate(async (name) => {
    const answer = await fetch(`/ui/${name}/verify`, { method: "POST", headers: { "Monotable-Workbench": "1" } });
    return answer.json();
  }, model);
  assert.deepEqual(verified, { verified: true });
  await page.visit("/ui/");
  assert.match(await page.locator("[aria-label=Health]").textContent(), new RegExp(`${model} agrees with its model`));
}

// Fills the form of a new row in, and sends it.
async function create(page, entity, values) {
  await page.visit(`/ui/yggdrasil/entities/${entity}?new=1`);
  await page.waitForSelector("dialog[open]");
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`dialog[open] [name='set.${name}']`);
    if ((await field.evaluate((node) => node.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("dialog[open] [role=alert]");
  return page.locator("dialog[open]").textContent();
}

describe("refused edits say why, and write nothing", () => {
  const LINK = { UserId: "ines", TreeId: "carvalho", Type: "Biological" };
  test("a cycle", async () => {
    const page = await openPage(browser, server);
    const links = await (await fetch(`${server.address}/v1/yggdrasil/patterns/parent_links_of_tree?TreeId=carvalho`)).json();
    const { ParentId, ChildId } = links.rows[0];
    const text = await create(page, "ParentChild", { ...LINK, ParentId: ChildId, ChildId: ParentId });
    assert.match(text, /Conflict/);
    assert.match(text, /Nothing was written/);
    assert.deepEqual(await findBarriers(page), []);
    await verify(page, "yggdrasil");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a reference to nothing", async () => {
    const page = await openPage(browser, server);
    const text = await create(page, "ParentChild", { ...LINK, ParentId: "nobody-there", ChildId: "alvaro" });
    assert.match(text, /NotFound|no such|There is no/i);
    assert.match(text, /Nothing was written/);
    await verify(page, "yggdrasil");
    await page.context().close();
  });

  test("three values that are wrong, all at once and at their fields", async () => {
    const page = await openPage(browser, server);
    const text = await create(page, "Person", { UserId: "ines", TreeId: "carvalho", FirstName: "Medora", BirthDate: "1814-13-15", PhotoUrl: "medora.jpg" });
    assert.match(text, /3 values|4 values/);
    assert.ok((await page.locator("dialog[open] [aria-invalid=true]").count()) >= 3);
    assert.equal(await page.locator("dialog[open] [name='set.FirstName']").inputValue(), "Medora", "what was given stays");
    await page.context().close();
  });

  test("an attribute that never changes", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=carvalho");
    assert.equal(await page.locator("td[data-attribute=PersonId], td[data-attribute=UserId]").count(), 0, "a key is not offered for change");
    const text = await page.evaluate(async () => {
      const key = document.querySelector("tr[data-key]").dataset.key;
      const body = new URLSearchParams({ do: "update", of: "Person", key, "set.TreeId": "holm" });
      const answer = await fetch("/ui/yggdrasil/write", { method: "POST", headers: { "Monotable-Workbench": "1" }, body });
      return answer.text();
    });
    assert.match(text, /Refused/);
    assert.match(text, /Immutable|never changes|cannot be changed/i);
    await verify(page, "yggdrasil");
    await page.context().close();
  });
});

describe("a row that two people change", () => {
  const address = "/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=okafor";
  async function change(page, text) {
    await page.locator("td[data-attribute=BirthPlace]").first().dblclick();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
  }

  test("both versions are shown, and the reader keeps the own one", async () => {
    const [mine, theirs] = [await openPage(browser, server), await openPage(browser, server)];
    await mine.visit(address);
    await theirs.visit(address);
    await change(mine, "Mine");
    await change(theirs, "Theirs");
    await theirs.keyboard.press("Control+s");
    await theirs.waitForSelector("[data-outcome=Written]");
    await mine.keyboard.press("Control+s");
    await mine.waitForSelector(".conflict");
    const text = await mine.locator(".conflict").textContent();
    assert.match(text, /has changed since you opened it/);
    assert.match(text, /BirthPlace is now Theirs/);
    assert.match(text, /You gave Mine/);
    assert.deepEqual(await findBarriers(mine), []);
    await mine.click("[data-keep-mine]");
    await mine.waitForSelector("[data-outcome='Dry run']");
    await mine.keyboard.press("Control+s");
    await mine.waitForSelector("[data-outcome=Written]");
    await theirs.waitForFunction(() => document.querySelector("td[data-attribute=BirthPlace]")?.textContent === "Mine");
    assert.deepEqual([...mine.problems, ...theirs.problems], []);
    await mine.context().close();
    await theirs.context().close();
  });
});

describe("changes that are not applied", () => {
  const address = "/ui/yggdrasil/entities/Person?from=persons_of_tree&p.TreeId=okafor";

  test("a text of several lines keeps them, and is no change as long as nobody changes it", async () => {
    const row = { UserId: "marcus", TreeId: "okafor", PersonId: "lines", FirstName: "Lines", LastName: "Several", Gender: "Other", Biography: "one\ntwo\n\nthree" };
    const made = await fetch(`${server.address}/v1/yggdrasil/entities/Person`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(row) });
    assert.equal(made.status, 201);
    const page = await openPage(browser, server);
    await page.visit(address);
    const cell = page.locator("tr:has-text('Several') td[data-attribute=Biography]");
    await cell.dblclick();
    await page.keyboard.press("Enter");
    await page.waitForTimeout(500);
    assert.equal(await page.locator("#changes-bar").isHidden(), true, "nothing was changed");
    assert.equal(await cell.textContent(), row.Biography);
    await cell.dblclick();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("four");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Control+s");
    await page.waitForSelector("[data-outcome=Written]");
    const read = await (await fetch(`${server.address}/v1/yggdrasil/entities/Person/marcus/lines`)).json();
    assert.equal(read.Biography, "one\ntwo\n\nthree\nfour");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("are not lost without a question, and do not hold the page up when the reader goes on", async () => {
    const page = await openPage(browser, server);
    const questions = [];
    let isLeaving = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return isLeaving ? dialog.accept() : dialog.dismiss();
    });
    await page.visit(address);
    const cells = page.locator("td[data-attribute=BirthPlace]");
    await cells.first().dblclick();
    await page.keyboard.type("Unfinished");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
    await page.click("nav.tabs >> text=Items");
    assert.match(questions[0], /1 change is not applied yet/);
    assert.match(page.url(), /entities\/Person/);
    assert.equal(await page.locator("#changes-bar").isHidden(), false, "the change is still there");
    isLeaving = true;
    await page.click("nav.tabs >> text=Items");
    await page.waitForURL(/items/);
    await settle(page);
    await page.goBack();
    await page.waitForSelector("td[data-attribute=BirthPlace]");
    await settle(page);
    await cells.nth(1).dblclick();
    assert.equal(await page.locator("td.edit").count(), 1, "another row can be changed");
    await page.keyboard.press("Escape");
    await page.click("nav.tabs >> text=Activity");
    await page.waitForURL(/activity/);
    await fetch(`${server.address}/v1/yggdrasil/entities/User/after-leaving`);
    await page.waitForSelector("text=after-leaving");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a row is chosen, and a delete given up, without losing the rows around it", async () => {
    const page = await openPage(browser, server);
    await page.visit(address);
    const rows = await page.locator("tbody tr").count();
    await page.locator("tbody tr a.ref").first().click();
    await page.waitForURL(/row=/);
    await settle(page);
    assert.equal(await page.locator("tbody tr").count(), rows);
    assert.equal(await page.locator("tbody tr[aria-current]").count(), 1);
    await page.locator("a[aria-label='Delete this Person']").first().click();
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.waitForURL((now) => !now.search.includes("delete="));
    await settle(page);
    assert.equal(await page.locator("[name='p.TreeId']").inputValue(), "okafor");
    assert.equal(await page.locator("tbody tr").count(), rows);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a text that turns the direction of writing turns nothing beside it", async () => {
    const page = await openPage(browser, server);
    const key = { PK: { S: "TURNED#\u202Eabc" }, SK: { S: "SORT#def" } };
    const put = await fetch(server.address, {
      method: "POST",
      headers: { "x-amz-date": "20260101T000000Z", "x-amz-target": "DynamoDB_20120810.PutItem", "content-type": "application/x-amz-json-1.0", authorization: "AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0" },
      body: JSON.stringify({ TableName: "Yggdrasil", Item: key }),
    });
    assert.equal(put.status, 200, await put.text());
    await page.visit(`/ui/yggdrasil/items/Yggdrasil/table?partition=${encodeURIComponent(key.PK.S)}`);
    const [partition, sort] = await page.locator("aside[aria-label=Item] p.wrapkey .key").evaluateAll((keys) => keys.map((node) => node.getBoundingClientRect().left));
    assert.ok(partition < sort, "the partition key stands before the sort key");
    await page.context().close();
  });
});

describe("moves and revisions", () => {
  test("a move is tried out, then made", async () => {
    const page = await openPage(browser, server);
    await page.visit(`/ui/yggdrasil/entities/Tree?row=${encodeURIComponent(JSON.stringify({ UserId: "marcus", TreeId: "okafor" }))}`);
    await page.click("summary:has-text('transfer_tree')");
    await page.fill("details[open] [name='set.UserId']", "ines");
    await page.click("details[open] button:text-is('Dry run')");
    await page.waitForSelector("[data-outcome='Dry run']");
    await page.click("summary:has-text('transfer_tree')").catch(() => {});
    if (!(await page.locator("details[open] [name='set.UserId']").isVisible())) await page.click("summary:has-text('transfer_tree')");
    await page.fill("details[open] [name='set.UserId']", "ines");
    await page.click("details[open] button:text-is('Move')");
    await page.waitForSelector("[data-outcome=Written]");
    const tree = await fetch(`${server.address}/v1/yggdrasil/entities/Tree/ines/okafor`);
    assert.equal(tree.status, 200);
    await verify(page, "yggdrasil");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test("a revert makes a new revision with the old rows", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/values/repositories");
    const before = await page.locator(".rev").count();
    const form = page.locator("form:has([name=do][value=revert])");
    await form.locator("[name='set.message']").fill("Back again");
    await form.locator("[name='set.source']").fill("daily_update");
    await form.locator("button:has-text('Dry run')").click();
    await page.waitForSelector("[data-outcome='Dry run']");
    assert.equal(await page.locator(".rev").count(), before, "a dry run makes no revision");
    await form.locator("button:text-is('Revert')").click();
    await page.waitForSelector("[data-outcome=Written]");
    await page.waitForSelector(".rev:has(.badge:text-is('head')):has-text('Back again')");
    await verify(page, "values");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
});

describe("what the page may do", () => {
  test("a caller without rights sees nothing of others", async () => {
    const page = await openPage(browser, server);
    for (const path of ["patterns/whole_tree?p.TreeId=holm&run=1", "entities/Person?from=persons_of_tree&p.TreeId=holm", "items", "find?q=astrid"]) {
      await page.visit(`/ui/yggdrasil/${path}${path.includes("?") ? "&" : "?"}as.UserId=stranger`);
      const text = await page.locator("body").textContent();
      assert.doesNotMatch(text, /Holm\b|Lindqvist|astrid\./, path);
    }
    await page.visit("/ui/yggdrasil/patterns/whole_tree?p.TreeId=holm&run=1&as.UserId=astrid");
    assert.ok((await page.locator("tbody tr").count()) > 3, "its owner sees it");
    await page.context().close();
  });

  test("a page that only reads offers no change, and the server takes none", async () => {
    const own = await start("demo", "--workbench", "read-only", "--port", String(await freePort()));
    const page = await openPage(browser, own);
    await page.visit("/ui/yggdrasil/entities/Tree");
    assert.match(await page.locator("header").textContent(), /read only/);
    for (const offered of ["text=New Tree", "td[data-attribute]", "a[aria-label^=Delete]"]) assert.equal(await page.locator(offered).count(), 0, offered);
    await page.visit("/ui/values/repositories");
    assert.equal(await page.locator("text=Roll back").count(), 0);
    const body = "do=delete&of=Tree&key=%7B%22UserId%22%3A%22ines%22%2C%22TreeId%22%3A%22carvalho%22%7D";
    const refused = await fetch(`${own.address}/ui/yggdrasil/write`, { method: "POST", headers: { "Monotable-Workbench": "1" }, body });
    assert.equal(refused.status, 403);
    assert.equal((await fetch(`${own.address}/v1/yggdrasil/entities/Tree/ines/carvalho`)).status, 200);
    await page.context().close();
    await own.stop();
  });

  test("without a page there is none, and programs notice nothing", async () => {
    const own = await start("serve", MODEL, "--in-memory", "--workbench", "off", "--port", String(await freePort()));
    assert.notEqual((await fetch(`${own.address}/ui/`)).status, 200);
    const home = await fetch(`${own.address}/`, { headers: { accept: "text/html" }, redirect: "manual" });
    assert.equal(home.status, 200);
    assert.match(await home.text(), /^healthy: dynamodb/);
    await own.stop();
  });

  test("a stored script stays text on every screen, and the policy has nothing to report", async () => {
    const script = `"'><script>document.title='broken'</script><img src=x onerror="document.title='broken'">`;
    const own = await start("serve", MODEL, "--in-memory", "--port", String(await freePort()));
    const post = (entity, values) => fetch(`${own.address}/v1/yggdrasil/entities/${entity}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values) });
    for (const [entity, values] of [
      ["User", { UserId: "ada", Email: "ada@example.com", PasswordHash: "x", DisplayName: script }],
      ["Tree", { UserId: "ada", TreeId: "byron", TreeName: script, Description: script }],
      ["Person", { UserId: "ada", TreeId: "byron", PersonId: "george", FirstName: script, LastName: script, Gender: "Male", Biography: script }],
    ]) assert.equal((await post(entity, values)).status, 201, entity);
    const page = await openPage(browser, own);
    await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`)));
    for (const path of ["/ui/", "/ui/activity", "/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron&run=1", "/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron&run=1&view=json", "/ui/yggdrasil/items", "/ui/yggdrasil/entities/Person", "/ui/yggdrasil/entities/Tree?delete=%7B%22UserId%22%3A%22ada%22%2C%22TreeId%22%3A%22byron%22%7D", "/ui/yggdrasil/model"]) {
      await page.visit(path);
      assert.notEqual(await page.title(), "broken", path);
      assert.equal(await page.locator("img[src=x]").count(), 0, path);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.fill("#palette-words", "script");
    await page.waitForSelector("#palette-list [role=option]");
    assert.equal(await page.locator("img[src=x]").count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
    await own.stop();
  });
});

describe("with the keyboard alone", () => {
  const SCREENS = ["/ui/", "/ui/yggdrasil/patterns/whole_tree?p.TreeId=holm&run=1", "/ui/yggdrasil/items", "/ui/yggdrasil/entities/Person", "/ui/yggdrasil/model", "/ui/yggdrasil/model/keys", "/ui/values/repositories", "/ui/activity"];
  for (const path of SCREENS) {
    test(`${path}: the focus reaches the work, is always seen, and is never caught`, async () => {
      const page = await openPage(browser, server);
      await page.visit(path);
      let reached = 0;
      let steps = 0;
      for (; steps < 400; steps += 1) {
        await page.keyboard.press("Tab");
        const at = await page.evaluate(() => {
          const node = document.activeElement;
          if (!node || node === document.body) return null;
          const box = node.getBoundingClientRect();
          return { name: `${node.tagName} ${node.className?.baseVal ?? node.className}`, isSeen: box.width > 0 && box.height > 0, isInMain: node.closest("main") !== null };
        });
        if (at === null) break;
        assert.ok(at.isSeen, `${at.name} has the focus and is not seen`);
        if (at.isInMain) reached += 1;
      }
      assert.ok(reached > 0, "nothing in the work can be reached");
      assert.ok(steps < 400, "the focus does not leave the page");
      await page.context().close();
    });
  }

  test("a row is found, opened, changed and applied without a mouse", async () => {
    const page = await openPage(browser, server);
    await page.visit("/ui/yggdrasil/patterns");
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.waitForURL(/entities/);
    await settle(page);
    await page.keyboard.press("/");
    await page.keyboard.type("Tree");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/entities\/Tree/);
    await settle(page);
    await page.locator("[data-grid] td[tabindex='0']").first().focus();
    for (let step = 0; step < 12; step += 1) {
      if (await page.evaluate(() => document.activeElement.dataset.attribute === "TreeName")) break;
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
    await page.keyboard.type("Named by keys");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-outcome='Dry run']");
    await page.keyboard.press("Control+s");
    await page.waitForSelector("[data-outcome=Written]");
    await page.waitForSelector("td:text-is('Named by keys')");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
});
