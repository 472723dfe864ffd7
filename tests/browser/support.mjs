// A page that notes everything that should not happen: errors, requests to other servers, violations of the policy.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function openPage(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: false, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.isDown = false;
  page.on("console", (message) => {
    if (message.type() === "error" && !page.isDown) page.problems.push(message.text());
  });
  page.on("pageerror", (problem) => page.problems.push(String(problem)));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.address) && !request.url().startsWith("data:")) page.problems.push(`asked ${request.url()}`);
  });
  page.visit = async (path) => {
    await page.goto(`${server.address}${path}`);
    await settle(page);
  };
  return page;
}

export async function settle(page) {
  await page.waitForFunction(() => !("loading" in document.body.dataset));
}

// What axe finds, in words. The page's policy lets no script of others in, so axe is evaluated by the browser itself.
export async function findBarriers(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map((found) => `${found.id}: ${found.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

// Elements that are wider than the window, which would make a phone scroll sideways.
export async function findOverflow(page) {
  return page.evaluate(() => (document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} wide`] : []));
}

// Takes out of a page what differs from run to run: fonts of the machine, times, durations, ports and generated ids.
export async function steady(page) {
  await page.evaluate(async () => {
    const style = document.documentElement.style;
    style.setProperty("--sans", '"DejaVu Sans"');
    style.setProperty("--mono", '"DejaVu Sans Mono"');
    const changing = [
      [/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, "12:00:00"],
      [/\b\d+\.\d ms\b/g, "1.0 ms"],
      [/127\.0\.0\.1:\d+/g, "127.0.0.1:8000"],
      [/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "01KM0000000000000000000000"],
      [/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "00000000-0000-0000-0000-000000000000"],
    ];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (const [pattern, text] of changing) node.data = node.data.replace(pattern, text);
    }
    // What was called before depends on the tests that ran before.
    document.querySelector("[aria-label='Recent calls'] .frame")?.replaceChildren();
    await document.fonts.ready;
  });
}
