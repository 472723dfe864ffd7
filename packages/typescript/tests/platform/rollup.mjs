// A bundle by Rollup, which stands in the folder that this runs in: node rollup.mjs PROGRAM node|web FOLDER
import { createRequire } from "node:module";
import { resolve } from "node:path";

const need = createRequire(resolve("package.json"));
const [{ rollup }, { nodeResolve }, commonjs, json] = ["rollup", "@rollup/plugin-node-resolve", "@rollup/plugin-commonjs", "@rollup/plugin-json"].map(need);
const [, , input, target, dir] = process.argv;
const browser = target === "web";
const plugins = [nodeResolve({ browser, preferBuiltins: !browser }), commonjs(), json()];
const ofOthers = ({ ids = [], id = "" }) => [...ids, id].some((file) => /@aws|@smithy|tslib/.test(file));
const onwarn = (warning) => { if (!ofOthers(warning)) throw new Error(warning.message); };
const made = await rollup({ input, plugins, onwarn });
await made.write({ dir, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
