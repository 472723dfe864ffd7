// Gets the bytes of the core. The file beside the code is read in a few milliseconds; the embedded text, which takes several times as
// long, is for programs whose bundlers lose files, and for browsers.
import { coreFile } from "./core-file.js";

/** Compiles the core. */
export async function compileCore(): Promise<WebAssembly.Module> {
  const bytes = (await readFile()) ?? (await import("./core-module.js")).coreModule();
  return WebAssembly.compile(bytes);
}

type Files = typeof import("node:fs");
type Runtime = { process?: { versions?: { node?: string }; getBuiltinModule?(name: string): Files }; Deno?: object };

/** The file of the package; nothing where there are no files, or where another program's file has its name. */
async function readFile(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { process, Deno } = globalThis as Runtime;
  if (!process?.versions?.node || Deno) return undefined;  // Deno would ask its user for leave to read
  try {
    const name = "node:fs";
    const files = process.getBuiltinModule?.(name) ?? ((await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as Files);
    const bytes = files.readFileSync(coreFile.find());
    return bytes.length === coreFile.length ? bytes : undefined;
  } catch {
    return undefined;
  }
}
