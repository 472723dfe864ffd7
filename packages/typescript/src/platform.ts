// What differs between the entries of the package: where the compiled core comes from, and whether there is an AWS SDK.
import type { AwsClient, Transport } from "./types.js";

export interface Platform {
  /** The compiled core. */
  core(): Promise<WebAssembly.Module>;
  /** A transport over a client of the AWS SDK; none in `monotable/bare`. */
  aws?(client: AwsClient): Transport;
}

/** Compiles once in a process, however many clients there are. */
export function once(compile: () => Promise<WebAssembly.Module>): () => Promise<WebAssembly.Module> {
  let compiled: Promise<WebAssembly.Module> | undefined;
  return () => (compiled ??= compile());
}

/** Fills bytes with chance that nobody can guess. Node 18 has it, but not as a global. */
export async function findRandom(): Promise<(into: Uint8Array) => void> {
  const source = globalThis.crypto ?? ((await import("node:crypto")) as { webcrypto: Crypto }).webcrypto;
  return (into) => { source.getRandomValues(into as Uint8Array<ArrayBuffer>); };
}

/** Numbers that follow from a seed, for tests that must repeat. */
export function seeded(seed: number): (into: Uint8Array) => void {
  let state = seed >>> 0;
  return (into) => {
    for (let at = 0; at < into.length; at += 1) {
      state = (state + 0x6d2b79f5) >>> 0;           // mulberry32
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      into[at] = mixed ^ (mixed >>> 14);
    }
  };
}
