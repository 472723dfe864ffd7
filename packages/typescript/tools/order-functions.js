// Names the functions of a module so that similar ones stand together when they are sorted by name:
//
//     node tools/order-functions.js IN.wasm OUT.wasm && wasm-opt -g --reorder-functions-by-name OUT.wasm -o SORTED.wasm
//
// Rust makes one function of a generic one for each type. gzip looks back 32 KB, so what is alike has to stand close together: it
// takes about 8 % off. Each function is followed by the one that shares most of its bytes, in runs of six, with it.
import { readFileSync, writeFileSync } from "node:fs";

const RUN = 6;
/** Runs that more functions have say nothing. */
const COMMON = 400;
/** Runs shared for each byte of a function, below which it is not alike. */
const ALIKE = 0.02;
const [CUSTOM, IMPORTS, CODE] = [0, 2, 10];

const module = readFileSync(process.argv[2]);
const { sections, imported, bodies } = readModule(module);
const ranks = new Map(orderBodies(bodies).map((body, rank) => [body, rank]));
const names = Array.from({ length: imported + bodies.length }, (_, index) =>
  index < imported ? `import${index}` : `f${String(ranks.get(index - imported)).padStart(6, "0")}`);
writeFileSync(process.argv[3], Buffer.concat([module.subarray(0, 8), ...sections, nameSection(names)]));

/** The sections without names, how many functions are imported, and the bodies of the others. */
function readModule(bytes) {
  const found = { sections: [], imported: 0, bodies: [] };
  for (let at = 8; at < bytes.length;) {
    const [size, start] = readNumber(bytes, at + 1);
    const end = start + size;
    if (bytes[at] === IMPORTS) [found.imported] = readNumber(bytes, start);     // all imports of our modules are functions
    if (bytes[at] === CODE) found.bodies = readBodies(bytes, start);
    if (bytes[at] !== CUSTOM || readText(bytes, start) !== "name") found.sections.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

function readBodies(bytes, start) {
  const bodies = [];
  let [count, at] = readNumber(bytes, start);
  for (; count > 0; count -= 1) {
    const [size, body] = readNumber(bytes, at);
    bodies.push(bytes.subarray(body, body + size));
    at = body + size;
  }
  return bodies;
}

function readText(bytes, start) {
  const [size, at] = readNumber(bytes, start);
  return bytes.toString("utf8", at, at + size);
}

/** An unsigned LEB128 number, and where it ends. */
function readNumber(bytes, start) {
  let [value, shift, at] = [0, 0, start];
  for (; bytes[at] >= 0x80; at += 1, shift += 7) value += (bytes[at] & 0x7f) * 2 ** shift;
  return [value + bytes[at] * 2 ** shift, at + 1];
}

function writeNumber(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

function nameSection(names) {
  const text = (name) => Buffer.concat([writeNumber(Buffer.byteLength(name)), Buffer.from(name)]);
  const map = Buffer.concat([writeNumber(names.length), ...names.flatMap((name, index) => [writeNumber(index), text(name)])]);
  const content = Buffer.concat([text("name"), Buffer.from([1]), writeNumber(map.length), map]);
  return Buffer.concat([Buffer.from([CUSTOM]), writeNumber(content.length), content]);
}

/** The positions of the bodies, each behind the one that is most like it. */
function orderBodies(bodies) {
  const { runs, holders } = indexRuns(bodies);
  const left = new Set(bodies.keys());
  const order = [];
  for (let next = 0; next !== undefined; next = findAlike(next) ?? left.values().next().value) {
    left.delete(next);
    order.push(next);
  }
  return order;

  function findAlike(body) {
    const shared = new Map();
    for (const run of runs[body]) {
      for (const other of holders.get(run)) if (left.has(other)) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    let [best, most] = [undefined, ALIKE];
    for (const [other, count] of shared) {
      const share = count / (bodies[other].length + 16);
      if (share > most) [best, most] = [other, share];
    }
    return best;
  }
}

/** Of each body the runs of bytes that others have too, and who has them. */
function indexRuns(bodies) {
  const holders = new Map();
  const all = bodies.map((body) => {
    const runs = new Set();
    for (let at = 0; at + RUN <= body.length; at += 1) runs.add(body.readUIntBE(at, RUN));
    return runs;
  });
  for (const [body, runs] of all.entries()) {
    for (const run of runs) {
      const known = holders.get(run);
      if (known) known.push(body);
      else holders.set(run, [body]);
    }
  }
  const tells = (run) => holders.get(run).length > 1 && holders.get(run).length <= COMMON;
  return { holders, runs: all.map((runs) => [...runs].filter(tells)) };
}
