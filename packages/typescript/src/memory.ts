// A DynamoDB in this process: the engine as a second wasm module. It is one more transport.
import { Core } from "./core.js";
import { usageError } from "./errors.js";
import { Lagging, writes } from "./lag.js";
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
  /** Reads that are not strong, and those of indexes, may miss what was just written, as Amazon's do. */
  lag?: boolean | undefined;
}

/** An empty DynamoDB, for `open({ transport })`. */
export async function createMemory(options: MemoryOptions = {}): Promise<MemoryTransport> {
  const random = options.random ?? (options.seed === undefined ? await findRandom() : seeded(options.seed));
  const host = { clock: options.clock ?? Date.now, random };
  const module = await compile();
  const fresh = await Core.create(module, host);
  const engine = options.lag ? new Lagging(fresh, await Core.create(module, host), random) : fresh;
  let [throttled, lost] = [0, 0];
  return {
    async send(operation, input): Promise<Answered> {
      if (throttled > 0) {
        throttled -= 1;
        return { status: 400, error: { __type: "ThrottlingException", message: "Rate exceeded" } };
      }
      const { marked, ...answer } = engine.request(operation, input);
      if (lost > 0 && writes.has(operation) && "ok" in answer) {
        lost -= 1;
        return { lost: "the answer was lost on purpose" };
      }
      return answer as Answered;
    },
    fail({ throttle = 0, lose = 0 }) {
      [throttled, lost] = [throttle, lose];
    },
    snapshot: () => engine.snapshot(),
    restore: (snapshot) => {
      if (snapshot.length > engine.size) throw usageError("this snapshot is of another engine");
      engine.restore(snapshot);
    },
  };
}
