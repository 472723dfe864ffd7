// The committed clients of tests/generated as JavaScript that runs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

export const models = ["authorization", "formkiq", "processproof", "values", "yggdrasil"];
const here = fileURLToPath(new URL(".", import.meta.url));
export const sourceOf = (model) => join(here, "generated", `${model}.ts`);

/** Writes a client as a module of a form, inside of the package, so that it finds `monotable`. Gives its path. */
export function buildClient(model, form = "esm") {
  const module = form === "esm" ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS;
  const { outputText } = ts.transpileModule(readFileSync(sourceOf(model), "utf8"), { compilerOptions: { module, target: ts.ScriptTarget.ES2022 } });
  const folder = join(here, "built");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${model}.${form === "esm" ? "mjs" : "cjs"}`);
  writeFileSync(file, outputText);
  return file;
}

export const importClient = (model) => import(pathToFileURL(buildClient(model)).href);
