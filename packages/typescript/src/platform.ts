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

/** The module that a program has given: compiled already, or its bytes; or a promise of either. */
export async function compileGiven(given: object): Promise<WebAssembly.Module> {
  const module = await given;
  const isBytes = module instanceof ArrayBuffer || ArrayBuffer.isView(module);
  return isBytes ? WebAssembly.compile(module as BufferSource) : (module as WebAssembly.Module);
}

/** Fills bytes with chance that nobody can guess. Node loads it when it is first touched, which takes milliseconds; Node 18 has it, but not as a global. */
export async function findRandom(): Promise<(into: Uint8Array) => void> {
  if ("crypto" in globalThis) return (into) => { crypto.getRandomValues(into as Uint8Array<ArrayBuffer>); };
  const node = "node:crypto";                       // bundlers for browsers look for what they can read here
  const { webcrypto } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ node)) as { webcrypto: Crypto };
  return (into) => { webcrypto.getRandomValues(into as Uint8Array<ArrayBuffer>); };
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
