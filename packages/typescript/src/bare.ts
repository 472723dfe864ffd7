// The package without the AWS SDK, for programs with a transport of their own. The core is embedded.
import { makeClient } from "./client.js";
import type { Outline } from "./client.js";
import { compileCore } from "./load.js";
import { once } from "./platform.js";

export * from "./surface.js";

const core = once(compileCore);

/** Makes the client of a generated file. */
export function connect<Db>(model: string, outline: object, options: object): Db {
  return makeClient({ core }, model, outline as Outline, options) as Db;
}
