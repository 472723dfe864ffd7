// A page with a bundle, in Chromium without a window: node chromium.mjs FOLDER. Prints what the page says.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const folder = process.argv[2];
const profile = mkdtempSync(join(tmpdir(), "chromium-"));
const server = createServer(async (request, response) => {
  if (request.url === "/") {
    return response.setHeader("content-type", "text/html").end('<script type="module" src="/bundled.mjs"></script>');
  }
  if (request.url !== "/said") {
    response.setHeader("content-type", "text/javascript");
    try {
      return response.end(readFileSync(join(folder, basename(request.url))));
    } catch {
      return response.writeHead(404).end();
    }
  }
  const said = [];
  for await (const part of request) said.push(part);
  response.end();
  console.log(Buffer.concat(said).toString());
  end(0);
});
server.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
// A root user has no sandbox, and nothing but this page is opened.
const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`];
const browser = spawn("chromium", flags, { stdio: "ignore" });
const ended = new Promise((resolve) => browser.once("exit", resolve).once("error", (error) => { console.error(error.message); resolve(); }));
const timer = setTimeout(() => end(1), 120_000);
ended.then(() => end(1));

let isEnding = false;
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  clearTimeout(timer);
  browser.kill();
  await ended;
  server.close();
  server.closeAllConnections();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  process.exitCode = code;
}
