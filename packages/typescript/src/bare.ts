// The package without the AWS SDK, for programs with a transport of their own. The core is embedded.
import { makeClient } from "./client.js";
import type { Outline } from "./client.js";
import { coreModule } from "./core-module.js";
import { once } from "./platform.js";

export * from "./surface.js";

const core = once(async () => WebAssembly.compile(coreModule()));

/** Makes the client of a generated file. */
export function connect<Db>(model: string, outline: object, options: object): Db {
  return makeClient({ core }, model, outline as Outline, options) as Db;
}
