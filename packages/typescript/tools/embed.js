// Embeds the modules as base64 in the built package: node tools/embed.js FOLDER
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
for (const name of ["core", "memory"]) {
  const text = readFileSync(join(folder, `${name}.wasm`)).toString("base64");
  const make = `${name}Module`;
  const body = `() => decodeBase64(${JSON.stringify(text)});\n`;
  writeFileSync(`dist/esm/${name}-module.js`, `import { decodeBase64 } from "./base64.js";\nexport const ${make} = ${body}`);
  writeFileSync(`dist/cjs/${name}-module.js`,
    `"use strict";\nconst { decodeBase64 } = require("./base64.js");\nexports.${make} = ${body}`);
  for (const form of ["esm", "cjs"]) copyFileSync(`src/${name}-module.d.ts`, `dist/${form}/${name}-module.d.ts`);
}
copyFileSync(join(folder, "core.wasm"), "dist/esm/core.wasm");
writeFileSync("dist/cjs/package.json", `${JSON.stringify({ type: "commonjs" })}\n`);
