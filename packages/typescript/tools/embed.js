// Puts the modules into the built package: node tools/embed.js FOLDER
//
// Each is embedded as base64, because bundlers lose files beside the code. The core is also a file, which Node reads faster. Then the
// files of the ESM build become few, because a program pays for every file that it imports.
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = process.argv[2];
for (const name of ["core", "memory"]) {
  const text = readFileSync(join(folder, `${name}.wasm`)).toString("base64");
  const make = `${name}Module`;
  // The text stands outside of the function: inside, it would be parsed twice.
  const body = `const text = ${JSON.stringify(text)};\n`;
  writeFileSync(`dist/esm/${name}-module.js`,
    `import { decodeBase64 } from "./base64.js";\n${body}export const ${make} = () => decodeBase64(text);\n`);
  writeFileSync(`dist/cjs/${name}-module.js`,
    `"use strict";\nconst { decodeBase64 } = require("./base64.js");\n${body}exports.${make} = () => decodeBase64(text);\n`);
  for (const form of ["esm", "cjs"]) copyFileSync(`src/${name}-module.d.ts`, `dist/${form}/${name}-module.d.ts`);
}

const { length } = readFileSync(join(folder, "core.wasm"));
// Bundlers take `new URL(.., import.meta.url)` for something to carry along, whatever stands before the comma: webpack makes a module
// of it that throws when the program starts. The address of a module may also be none that files lie beside, such as `blob:`.
writeFileSync("dist/esm/core-file.js",
  `const here = import.meta.url;\nexport const coreFile = { find: () => new URL("core.wasm", here), length: ${length} };\n`);
writeFileSync("dist/cjs/core-file.js",
  `"use strict";\nexports.coreFile = { find: () => __dirname + "/../esm/core.wasm", length: ${length} };\n`);
for (const form of ["esm", "cjs"]) copyFileSync("src/core-file.d.ts", `dist/${form}/core-file.d.ts`);
copyFileSync(join(folder, "core.wasm"), "dist/esm/core.wasm");
// CommonJS finds the other entries of the package by its name, too.
const exported = { ".": "./index.js", "./bare": "./bare.js", "./memory": "./memory.js" };
writeFileSync("dist/cjs/package.json", `${JSON.stringify({ name: "monotable", type: "commonjs", exports: exported })}\n`);

// Each entry becomes one file. What is embedded stays a file of its own, which is only imported where it is needed.
const entries = ["index", "bare", "edge", "memory", "core-module", "memory-module"].map((name) => `dist/esm/${name}.js`);
const { outputFiles } = await build({
  entryPoints: entries, outdir: "dist/esm", write: false, bundle: true, format: "esm", target: "es2022", platform: "neutral",
  external: ["@aws-sdk/client-dynamodb", "node:*", "*.wasm", "./core-module.js", "./memory-module.js"],
});
for (const file of readdirSync("dist/esm").filter((name) => name.endsWith(".js"))) rmSync(join("dist/esm", file));
for (const { path, contents } of outputFiles) writeFileSync(path, contents);
