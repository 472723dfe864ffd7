// The worker of workerd.mjs in Cloudflare's runtime, on our server: node run-workerd.mjs PROGRAM FOLDER WORKERD. Prints what it says.
import { spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startServer } from "../repository.js";

const [, , program, folder, workerd] = process.argv;
const server = await startServer();
let worker;
try {
  await build({
    entryPoints: [program], bundle: true, format: "esm", platform: "browser", conditions: ["workerd"], outdir: folder,
    outExtension: { ".js": ".mjs" }, loader: { ".wasm": "copy" }, assetNames: "core", logLevel: "error",
    define: { ENDPOINT: JSON.stringify(server.endpoint) },
  });
  const config = join(folder, "workerd.capnp");
  copyFileSync(fileURLToPath(new URL("workerd.capnp", import.meta.url)), config);
  worker = spawn(workerd, ["serve", "--control-fd=1", config], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await findAddress(worker.stdout);
  const ask = async (path) => (await fetch(`${address}/${path}`)).text();
  await ask("setup");
  // Side by side, because requests of a worker share its client and must not wait for each other's promises.
  const said = new Set(await Promise.all(["1", "2", "3", "4"].map(ask)));
  console.log([...said].join("\n"));
} finally {
  worker?.kill();
  server.stop();
}

async function findAddress(lines) {
  for await (const line of createInterface({ input: lines })) {
    const { event, port } = JSON.parse(line);
    if (event === "listen") return `http://127.0.0.1:${port}`;
  }
  throw new Error("workerd ended before it listened");
}
