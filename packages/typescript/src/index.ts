// The package for programs with the AWS SDK. The core is embedded.
import { aws } from "./aws.js";
import { makeClient } from "./client.js";
import type { Outline } from "./client.js";
import { compileCore } from "./load.js";
import { once } from "./platform.js";

export * from "./surface.js";
export { aws } from "./aws.js";

const core = once(compileCore);

/** Makes the client of a generated file. */
export function connect<Db>(model: string, outline: object, options: object): Db {
  return makeClient({ core, aws }, model, outline as Outline, options) as Db;
}
