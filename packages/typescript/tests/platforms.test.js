// The entries of the package, each in a process of its own as a program would have it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { NotFoundError } from "monotable";
import { connect as connectBare } from "monotable/bare";
import { createMemory } from "monotable/memory";
import ts from "typescript";
import { buildClient } from "./generated-client.js";
import { startServer } from "./repository.js";
import { compileYggdrasil, openYggdrasil } from "./yggdrasil.js";

const here = fileURLToPath(new URL("platform", import.meta.url));
const run = async (...args) => JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: here })).stdout);

let server;
before(async () => { server = await startServer(); });
after(() => server?.stop());

test("a program of ES modules", async () => {
  const client = pathToFileURL(buildClient("yggdrasil")).href;
  assert.deepEqual(await run("create-and-query.mjs", client), { isSame: true, refused: "User.Email", entry: "function" });
});

test("a program of CommonJS", async () => {
  const client = buildClient("yggdrasil", "cjs");
  assert.deepEqual(await run("create-and-query.cjs", client), { isSame: true, refused: "User.Email", entry: "function" });
});

test("a worker that compiles nothing at run time", async () => {
  for (const condition of ["workerd", "edge-light"]) {
    const client = pathToFileURL(buildClient("yggdrasil")).href;
    const said = await run("--import", "./worker-modules.mjs", "-C", condition, "worker.mjs", client, server.endpoint, condition);
    assert.deepEqual(said, { isSame: true, entry: "edge.js" });
  }
});

/** Bundles a program with the package. Gives the folder of the bundle. */
async function bundle(name, options) {
  const outdir = join(here, "../built", name);
  await build({
    entryPoints: [join(here, "create-and-query.mjs")], bundle: true, format: "esm", outdir, outExtension: { ".js": ".mjs" }, logLevel: "error",
    loader: { ".wasm": "copy" }, ...options,
  });
  return outdir;
}

test("bundles for Node and for browsers hold the core", async () => {
  const client = pathToFileURL(buildClient("yggdrasil")).href;
  // Parts of the SDK are CommonJS, which asks for modules of Node.
  const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' };
  for (const options of [{ platform: "node", banner }, { platform: "browser" }]) {
    const folder = await bundle(options.platform, options);
    assert.deepEqual(await run(join(folder, "create-and-query.mjs"), client), { isSame: true, refused: "User.Email", entry: "function" });
  }
});

// webpack makes a module of every `new URL(.., import.meta.url)` that it cannot follow, and the module throws when the program starts.
test("no code has the address of a file beside it in a form that bundlers follow", () => {
  const folder = join(here, "../../dist/esm");
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  assert.ok(files.includes("index.js"));
  for (const name of files) assert.doesNotMatch(readFileSync(join(folder, name), "utf8"), /new URL\([^)]*import\.meta/, name);
});

test("a bundle for workers has the core as a file beside it", async () => {
  const files = readdirSync(await bundle("worker", { platform: "browser", conditions: ["workerd"] }));
  assert.ok(files.some((file) => file.endsWith(".wasm")), `${files}`);
});

test("the core is downloaded and compiled at every start, so its size has a limit", () => {
  const { length } = gzipSync(readFileSync(join(here, "../../dist/esm/core.wasm")), { level: 9 });
  assert.ok(length <= 1_000_000, `core.wasm has ${length} bytes gzipped, where 1.0 MB is the limit`);
});

test("the core is given as bytes, as a module, or as a promise of one", async () => {
  const bytes = readFileSync(join(here, "../../dist/esm/core.wasm"));
  for (const module of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new WebAssembly.Module(bytes), WebAssembly.compile(bytes)]) {
    const db = await openYggdrasil({ transport: await createMemory(), module });
    await db.call({ setup: {} });
    assert.equal(await db.Tree.get({ UserId: "u", TreeId: "t" }), undefined);
  }
});

test("the bare entry has no AWS SDK, and takes a transport", async () => {
  const model = await compileYggdrasil();
  assert.throws(() => connectBare(model, { entities: [] }, { client: { send() {} } }), { kind: "Usage", message: /monotable\/bare/ });
  const db = connectBare(model, { entities: ["Tree"] }, { transport: await createMemory() });
  await db.call({ setup: {} });
  await assert.rejects(async () => db.Tree.getOrThrow({ UserId: "u", TreeId: "t" }), { kind: "NotFound" });
});

test("every entry has its types, also for compilers that look for files", () => {
  const text = 'import { connect } from "monotable"; import "monotable/bare"; import { createMemory } from "monotable/memory"; void [connect, createMemory];';
  const folder = join(here, "../built/typed");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(here, "../.."), join(folder, "node_modules/monotable"), "dir");
  const file = join(folder, "entries.ts");
  writeFileSync(file, text);
  const common = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, types: ["node"], ignoreDeprecations: "5.0" };
  for (const options of [
    { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10 },
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  ]) {
    const program = ts.createProgram([file], { ...common, ...options });
    const found = ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
    assert.deepEqual(found, []);
  }
});

test("errors are told apart though a program holds the package twice", () => {
  const common = createRequire(import.meta.url)("monotable");
  const error = new common.NotFoundError({ kind: "NotFound", message: "gone" });
  assert.notEqual(common.NotFoundError, NotFoundError);
  assert.ok(error instanceof NotFoundError);
  assert.ok(!(error instanceof common.ConflictError));
});
