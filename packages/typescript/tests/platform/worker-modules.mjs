// What bundlers of workers do with a file of WebAssembly: it is imported as a compiled module.
import { register } from "node:module";

register(`data:text/javascript,${encodeURIComponent(`
  export async function load(url, context, next) {
    if (!url.endsWith(".wasm")) return next(url, context);
    const source = 'import { readFileSync } from "node:fs";'
      + 'export default new WebAssembly.Module(readFileSync(new URL(import.meta.url)));';
    return { format: "module", source, shortCircuit: true };
  }
`)}`);
