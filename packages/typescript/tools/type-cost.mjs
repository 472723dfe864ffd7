// What a compiler does to check a client: the generated one of FormKiQ beside the same entities written in ElectroDB.
//
//   node packages/typescript/tools/type-cost.mjs [--check] [path of the monotable binary]
//
// Both are called alike: a create, a get and an update of every entity, and a query of each of its indexes. Prints the number of
// type instantiations, the time of the check and the memory, as `tsc --extendedDiagnostics` counts them. Needs `typescript` and
// `electrodb` in this package's node_modules, and the package's own types. With --check it fails if the generated client has more
// than a twentieth of ElectroDB's instantiations: a number that, unlike a time, is the same on every machine.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");
const work = resolve(here, "../tests/type-cost");
const given = process.argv.slice(2).filter((argument) => argument !== "--check");
const binary = resolve(given[0] ?? process.env.MONOTABLE_BINARY ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/monotable"));
/** How many times more instantiations ElectroDB must have at least. */
const bound = 20;

/** The compiled model as data. */
function readModel(name) {
  const options = { maxBuffer: 1 << 28, encoding: "utf8" };
  const text = execFileSync(binary, ["export", "model", "--json", join(root, `models/${name}/model.toml`)], options);
  return JSON.parse(text).model;
}

const nameOf = (name) => (typeof name === "string" ? name : name.value);

/** A kind of the model as ElectroDB types it. */
function electroType(kind) {
  const [name, of] = typeof kind === "string" ? [kind] : Object.entries(kind)[0];
  switch (name) {
    case "Integer": case "Number": case "Epoch": return `type: "number"`;
    case "Boolean": return `type: "boolean"`;
    case "Map": case "Any": case "Binary": return `type: "any"`;
    case "Enum": return `type: [${of.map((word) => JSON.stringify(word.word)).join(", ")}] as const`;
    case "List": return `type: "list", items: { ${electroType(of.of).replace(/type: \[.*\] as const/, 'type: "string"')} }`;
    default: return `type: "string"`;
  }
}

/** The attributes that a template shows, each once. */
function fieldsOf(template) {
  const names = (template?.parts ?? []).flatMap((part) => part.Field?.sources ?? [])
    .flatMap((source) => (source.Path && !source.Path.root ? [nameOf(source.Path.names[0])] : []));
  return [...new Set(names)];
}

/** One entity in ElectroDB, with the indexes that the model gives it. */
function electroEntity(model, entity) {
  const table = model.tables[entity.table];
  const shown = entity.attributes.filter((attribute) => attribute.kind !== "Never" && !attribute.internal);
  const known = new Set(shown.map((attribute) => nameOf(attribute.name)));
  const attributes = shown.map((attribute) => {
    const required = !attribute.presence.optional && !attribute.presence.only_if && !attribute.presence.required_if;
    const given = !attribute.computed && !attribute.role && !attribute.generated && !attribute.default;
    return `      ${JSON.stringify(nameOf(attribute.name))}: { ${electroType(attribute.kind)}${required && given ? ", required: true" : ""} },`;
  });
  const indexes = entity.keys.map((key) => {
    const at = key.place === "Primary" ? undefined : table.indexes[key.place.Index];
    const composite = (template) => fieldsOf(template).filter((name) => known.has(name)).map((name) => JSON.stringify(name)).join(", ");
    const [pk, sk] = at ? [at.hash, at.range] : [table.hash, table.range];
    const name = at ? `by${nameOf(at.name)}` : "primary";
    const index = at ? `index: ${JSON.stringify(nameOf(at.name))}, ` : "";
    return `      ${name}: { ${index}pk: { field: "${nameOf(pk)}", composite: [${composite(key.hash)}] }, ` +
      `sk: { field: "${nameOf(sk)}", composite: [${composite(key.range)}] } },`;
  });
  return `export const ${nameOf(entity.name)}Entity = new Entity({
    model: { entity: "${nameOf(entity.name)}", version: "1", service: "${model.name}" },
    attributes: {
${attributes.join("\n")}
    },
    indexes: {
${indexes.join("\n")}
    },
  }, configuration);
`;
}

/** Calls of every entity: their arguments are of no known type, so that only the library's own types are worked out. */
function electroCalls(entity) {
  const name = `${nameOf(entity.name)}Entity`;
  const queries = entity.keys.map((key, position) => (key.place === "Primary" ? "primary" : position))
    .map((place, position) => (place === "primary" ? "primary" : `by${entity.indexNames[position]}`));
  return `export async function use${nameOf(entity.name)}(given: any) {
  const made = await ${name}.create(given).go();
  const found = await ${name}.get(given).go();
  const changed = await ${name}.update(given).set(given).go();
${queries.map((query, position) => `  const rows${position} = await ${name}.query.${query}(given).go();`).join("\n")}
  return [made.data, found.data, changed.data, ${queries.map((_, position) => `rows${position}.data`).join(", ")}];
}
`;
}

/** The same calls of the generated client, as far as callers have them. */
function generatedCalls(text, model) {
  const calls = [];
  for (const entity of model.entities.filter((known) => known.keys.length > 0)) {
    const name = nameOf(entity.name);
    const body = text.slice(text.indexOf(`export declare namespace ${name} {`));
    const namespace = body.slice(0, body.indexOf("\n}\n"));
    const has = (call) => namespace.includes(`    ${call}(`);
    const lines = [
      has("create") && `await db.${name}.create(given)`, has("attach") && `await db.${name}.attach(given)`,
      has("get") && `await db.${name}.get(given)`, has("update") && `await db.${name}.update(given, given)`,
    ].filter(Boolean);
    calls.push(`export async function use${name}(db: Formkiq, given: any) {\n  return [${lines.join(", ")}];\n}\n`);
  }
  const camel = (name) => name.replace(/_+(.)/g, (_, letter) => letter.toUpperCase());
  const queries = model.access.map((access) => `    await db.query.${camel(nameOf(access.name))}(given),`);
  calls.push(`export async function queries(db: Formkiq, given: any) {\n  return [\n${queries.join("\n")}\n  ];\n}\n`);
  return calls.join("");
}

/** What `tsc` says of one file. */
function measure(file) {
  const config = join(work, `${file}.tsconfig.json`);
  const compilerOptions = { strict: true, skipLibCheck: true, noEmit: true, module: "nodenext", target: "es2022", types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = resolve(here, "../node_modules/typescript/bin/tsc");
  const ran = spawnSync(process.execPath, ["--max-old-space-size=8192", tsc, "-p", config, "--extendedDiagnostics"], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`${file} does not compile:\n${ran.stdout.slice(0, 2000)}`);
  const read = (name) => ran.stdout.match(new RegExp(`^${name}:\\s+(\\S+)`, "m"))?.[1];
  return { instantiations: read("Instantiations"), check: read("Check time"), total: read("Total time"), memory: read("Memory used") };
}

const model = readModel("formkiq");
const entities = model.entities.filter((known) => known.keys.length > 0);
for (const entity of entities) {
  const table = model.tables[entity.table];
  entity.indexNames = entity.keys.map((key) => (key.place === "Primary" ? "" : nameOf(table.indexes[key.place.Index].name)));
}
mkdirSync(work, { recursive: true });
try {
  const client = readFileSync(resolve(here, "../tests/generated/formkiq.ts"), "utf8");
  writeFileSync(join(work, "alone.ts"), `import type { Formkiq } from "../generated/formkiq.js";\nexport declare const db: Formkiq;\n`);
  writeFileSync(join(work, "generated.ts"), `import type { Formkiq } from "../generated/formkiq.js";\n${generatedCalls(client, model)}`);
  writeFileSync(join(work, "electro.ts"), [
    `import { Entity } from "electrodb";\n`,
    `const configuration = { client: {} as any, table: "main" };\n`,
    ...entities.map((entity) => electroEntity(model, entity)),
    ...entities.map((entity) => electroCalls(entity)),
  ].join("\n"));
  const calls = (text) => text.match(/await /g).length;
  const counts = new Map();
  for (const [file, what] of [
    ["alone.ts", "generated client alone"],
    ["generated.ts", `generated client, ${calls(generatedCalls(client, model))} calls`],
    ["electro.ts", `ElectroDB, ${calls(entities.map(electroCalls).join(""))} calls`],
  ]) {
    const { instantiations, check, total, memory } = measure(file);
    counts.set(file, Number(instantiations));
    console.log(`${what.padEnd(36)} ${instantiations.padStart(9)} instantiations  check ${check}  total ${total}  ${memory}`);
  }
  const [generated, electro] = [counts.get("generated.ts"), counts.get("electro.ts")];
  if (process.argv.includes("--check") && !(generated * bound <= electro)) {
    console.error(`the generated client has ${generated} instantiations, and may have ${Math.floor(electro / bound)}: what do its types infer?`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
