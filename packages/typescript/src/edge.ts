// The package for workers that do not compile bytes at run time: their bundlers compile `core.wasm`.
import { aws } from "./aws.js";
import { makeClient } from "./client.js";
import type { Outline } from "./client.js";
// @ts-ignore: what bundlers of workers make of it is a compiled module.
import module from "./core.wasm";

export * from "./surface.js";
export { aws } from "./aws.js";

const core = async () => module as WebAssembly.Module;

/** Makes the client of a generated file. */
export function connect<Db>(model: string, outline: object, options: object): Db {
  return makeClient({ core, aws }, model, outline as Outline, options) as Db;
}
