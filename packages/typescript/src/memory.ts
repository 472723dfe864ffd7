// A DynamoDB in this process: the engine as a second wasm module. It is one more transport.
import { Core } from "./core.js";
import { usageError } from "./errors.js";
import { memoryModule } from "./memory-module.js";
import { findRandom, once, seeded } from "./platform.js";
import type { Answered, Transport } from "./types.js";

const compile = once(async () => WebAssembly.compile(memoryModule()));

/** A core that also verifies and repairs whole tables, for `open({ module })`: `db.call({ verify: {} })`. */
export const wholeCore = (): Promise<WebAssembly.Module> => compile();

/** What goes wrong on purpose: so many requests are refused for their number, so many writes are done and their answers lost. */
export interface Faults { throttle?: number; lose?: number }

export interface MemoryTransport extends Transport {
  fail(faults: Faults): void;
  /** Everything that is stored, to come back to. */
  snapshot(): Uint8Array;
  restore(snapshot: Uint8Array): void;
}

export interface MemoryOptions {
  clock?: (() => number) | undefined;
  random?: ((into: Uint8Array) => void) | undefined;
  seed?: number | undefined;
}

const writes = new Set(["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"]);

/** An empty DynamoDB, for `open({ transport })`. */
export async function createMemory(options: MemoryOptions = {}): Promise<MemoryTransport> {
  const random = options.random ?? (options.seed === undefined ? await findRandom() : seeded(options.seed));
  const core = await Core.create(await compile(), { clock: options.clock ?? Date.now, random });
  let [throttled, lost] = [0, 0];
  return {
    async send(operation, input): Promise<Answered> {
      if (throttled > 0) {
        throttled -= 1;
        return { status: 400, error: { __type: "ThrottlingException", message: "Rate exceeded" } };
      }
      const { marked, ...answer } = core.request(operation, input);
      if (lost > 0 && writes.has(operation) && "ok" in answer) {
        lost -= 1;
        return { lost: "the answer was lost on purpose" };
      }
      return answer as Answered;
    },
    fail({ throttle = 0, lose = 0 }) {
      [throttled, lost] = [throttle, lose];
    },
    snapshot: () => core.snapshot(),
    restore: (snapshot) => {
      if (snapshot.length > core.size) throw usageError("this snapshot is of another engine");
      core.restore(snapshot);
    },
  };
}
