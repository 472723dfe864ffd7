// Starts the program under test and waits until it answers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import net from "node:net";

export const BINARY = process.env.MONOTABLE_BINARY ?? new URL("../../target/debug/monotable", import.meta.url).pathname;

export async function freePort() {
  const listener = net.createServer();
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  return port;
}

const started = [];

// Ends every server that a test has left.
export async function stopAll() {
  for (const server of started) await server.stop();
}

export async function start(...words) {
  const child = spawn(BINARY, words, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (text) => { said += text; });
  child.stderr.on("data", (text) => { said += text; });
  const port = words[words.indexOf("--port") + 1];
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said}`);
    const answer = await fetch(`${address}/v1`).catch(() => null);
    // The demo serves its models when all of them are filled.
    if (answer?.status === 401 || (answer?.ok && (await answer.json()).models.length > 0)) {
      const server = new Server(child, address);
      started.push(server);
      return server;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`no answer from ${address}: ${said}`);
}

class Server {
  constructor(child, address) {
    this.child = child;
    this.address = address;
  }

  // Seconds of processor time so far, as Linux counts them.
  processorTime() {
    const [, fields] = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ");
    const [user, system] = fields.split(" ").slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    this.child.kill("SIGTERM");
    await once(this.child, "exit");
  }
}
