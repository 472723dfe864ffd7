// A bundle by webpack, which stands in the folder that this runs in: node webpack.cjs PROGRAM node|web FOLDER
const { createRequire } = require("node:module");
const { resolve } = require("node:path");
const webpack = createRequire(resolve("package.json"))("webpack");

const [, , entry, target, folder] = process.argv;
webpack({
  entry: resolve(entry), target, mode: "production", experiments: { outputModule: true }, performance: { hints: false },
  output: { path: resolve(folder), filename: "bundled.mjs", module: true, chunkFormat: "module", library: { type: "module" } },
}, (failed, made) => {
  const wrong = failed ?? (made.hasErrors() || made.hasWarnings() ? made.toString({ all: false, errors: true, warnings: true }) : undefined);
  if (wrong === undefined) return;
  console.error(wrong);
  process.exitCode = 1;
});
