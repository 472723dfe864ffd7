// A server of its own for each test, in memory, on a free port.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const binary = process.env.MONOTABLE ?? "monotable";
const models = process.env.MONOTABLE_MODELS ?? "models";

export class Server {
  private constructor(
    private readonly child: ChildProcess,
    /** Where the model is: `http://127.0.0.1:1234/v1/yggdrasil`. */
    readonly url: string,
  ) {}

  static async start(model: string): Promise<Server> {
    const child = spawn(binary, ["serve", `${models}/${model}/model.toml`, "--in-memory", "--port", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout! });
    for await (const line of lines) {
      const found = / is at (http:\S+\/v1\/[^/]+)\//.exec(line);
      if (found) return new Server(child, found[1]!);
    }
    throw new Error("the server ended before it said where it is");
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
  }
}
