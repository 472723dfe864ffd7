// Where things are in the repository, and the programs of it that the tests use.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
const built = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const binary = (name, variable) => process.env[variable] ?? join(built, "debug", name);

/** The scripts of all models, or those whose path has a text: MONOTABLE_SCRIPTS=yg_t0. */
export function listScripts() {
  const folder = join(root, "scenarios");
  const wanted = process.env.MONOTABLE_SCRIPTS ?? "";
  return readdirSync(folder).sort()
    .flatMap((model) => readdirSync(join(folder, model)).sort().map((file) => `${model}/${file}`))
    .filter((name) => name.endsWith(".txt") && name.includes(wanted));
}

export const readScript = (name) => readFileSync(join(root, "scenarios", name), "utf8");

/** Models as generated code carries them. Checking a large model takes seconds, so each text is compiled once. */
export class Models {
  #known = new Map();
  #waiting = [];
  #process;

  read = (name) => readFileSync(join(root, "models", name, "model.toml"), "utf8");

  compile = (text) => {
    if (!this.#known.has(text)) this.#known.set(text, this.#ask(text));
    return this.#known.get(text);
  };

  end() { this.#process?.stdin.end(); }

  #ask(text) {
    if (!this.#process) {
      this.#process = spawn(binary("scenario", "MONOTABLE_SCENARIO"), ["compile"], { stdio: ["pipe", "pipe", "inherit"] });
      createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift()(JSON.parse(line)));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push((answer) => (answer.problem ? reject(new Error(answer.problem)) : resolve(answer)));
      this.#process.stdin.write(`${JSON.stringify(text)}\n`);
    });
  }
}

/** What the Rust store leaves behind after each script, with chance that counts. It runs beside the tests that ask for it. */
export class Reference {
  #found = new Map();
  #process;

  constructor(scripts) {
    for (const name of scripts) this.#found.set(name, makeAwaited());
    const files = scripts.map((name) => join("scenarios", name));
    const options = { cwd: root, stdio: ["ignore", "pipe", "inherit"] };
    this.#process = spawn(binary("scenario", "MONOTABLE_SCENARIO"), ["dump", ...files], options);
    this.#read();
  }

  /** The items that a script leaves behind, as lines. */
  items = (name) => this.#found.get(name).promise;

  end() { this.#process.kill(); }

  async #read() {
    for await (const line of createInterface({ input: this.#process.stdout })) {
      const { script, items } = JSON.parse(line);
      this.#found.get(script.replace(/^scenarios\//, "")).resolve(items);
    }
    const ended = new Error("the Rust store did not run all scripts to their end: see above");
    for (const { reject } of this.#found.values()) reject(ended);
  }
}

/** A promise that others resolve. Nobody has to wait for it. */
function makeAwaited() {
  const awaited = {};
  awaited.promise = new Promise((resolve, reject) => Object.assign(awaited, { resolve, reject }));
  awaited.promise.catch(() => {});
  return awaited;
}

/** Chance that counts: the bytes of the numbers 0, 1, 2 and so on, four for each. */
export function countingRandom() {
  let drawn = 0;
  return (into) => {
    for (let at = 0; at < into.length; at += 4) {
      const number = [drawn >>> 24, drawn >>> 16, drawn >>> 8, drawn];
      for (let place = 0; place < 4 && at + place < into.length; place += 1) into[at + place] = number[place];
      drawn += 1;
    }
  };
}

/** `monotable serve` in memory, on a free port, with data of its own for each region. */
export const startServer = () => start(spawn(binary("monotable", "MONOTABLE_BINARY"),
  ["serve", "--in-memory", "--regions=256", "--port", "0", "--log", "error"], { stdio: ["ignore", "pipe", "inherit"] }));

/** The server in front of an engine in which nothing has expired, with one set of data. */
export const startServerOfScripts = () => start(spawn(binary("scenario", "MONOTABLE_SCENARIO"),
  ["serve"], { stdio: ["pipe", "pipe", "inherit"] }));

async function start(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const endpoint = /export AWS_ENDPOINT_URL_DYNAMODB=(\S+)/.exec(line)?.[1];
    if (endpoint) {
      server.stdout.resume();
      return { endpoint, stop: () => server.kill() };
    }
  }
  throw new Error("the server ended before it said its address");
}
