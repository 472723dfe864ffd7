// The vectors that clients of all languages share: packages/vectors.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { aws, connect } from "monotable";
import { createRequire } from "node:module";
import { root } from "./repository.js";

// Of the ESM build only the entries are files.
const { encodeValue, decodeMarks } = createRequire(import.meta.url)("../dist/cjs/values.js");

const folder = `${root}/packages/vectors`;
const read = (name) => readFileSync(`${folder}/${name}`, "utf8");
const model = read("model.txt").trimEnd();
const module = new WebAssembly.Module(readFileSync(new URL("../dist/esm/core.wasm", import.meta.url)));
const [text, bytes] = [new TextDecoder(), new TextEncoder()];

/** An instance of the core, called by its exports alone, with a clock that stands and chance that counts. */
function instantiate() {
  let [wasm, drawn] = [undefined, 0];
  const random = (at, length) => new Uint8Array(wasm.memory.buffer, at, length).forEach((_, place, into) => {
    into[place] = drawn;
    drawn = (drawn + 1) % 256;
  });
  wasm = new WebAssembly.Instance(module, { monotable: { now: () => 1_763_467_200_000_000, random } }).exports;
  const pack = (given) => {
    const encoded = bytes.encode(given);
    const parcel = wasm.alloc(encoded.length);
    new Uint8Array(wasm.memory.buffer, parcel + 4, encoded.length).set(encoded);
    return parcel;
  };
  return ({ call, handle, given }) => {
    const parcel = pack(given.replace("$MODEL", model));
    const answer = call === "step" ? wasm.step(handle, parcel) : wasm[call](parcel);
    const { buffer } = wasm.memory;
    const said = text.decode(new Uint8Array(buffer, answer + 4, new DataView(buffer).getUint32(answer, true)));
    wasm.free(answer);
    return said;
  };
}

const readLines = (name) => read(`transcripts/${name}`).trimEnd().split("\n").map((line) => JSON.parse(line));

describe("transcripts of the core", () => {
  for (const name of readdirSync(`${folder}/transcripts`)) {
    test(name, () => {
      const call = instantiate();
      for (const [position, line] of readLines(name).entries()) assert.equal(call(line), line.reply, `line ${position + 1}`);
    });
  }
});

test("errors of the SDK are the answers that the transcripts have", async () => {
  const answers = readLines("faults.jsonl").filter(({ call }) => call === "step").flatMap(({ given }) => JSON.parse(given));
  const errors = answers.filter(({ error }) => error);
  assert.ok(errors.length > 5);
  for (const { error, status } of errors) {
    const [, name] = error.__type.split("#");
    // What the SDK throws, inside of its retries, for an answer of this status.
    const thrown = Object.assign(new Error(error.message), { name, $fault: "client", $metadata: { httpStatusCode: status } });
    const answer = await aws({ send: () => Promise.reject(thrown) }).send("GetItem", {}, {});
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), { status, error: { __type: name, message: error.message } });
  }
});

test("values are read and given as the core has them", () => {
  const vectors = JSON.parse(read("values.json"));
  assert.ok(vectors.length > 10);
  for (const { plain } of vectors) {
    const value = decodeMarks(structuredClone(plain));
    assert.deepEqual(encodeValue(value, "value"), plain);
    const [mark] = Object.keys(plain ?? {});
    if (mark === "$bytes") assert.ok(value instanceof Uint8Array);
    if (mark === "$set") assert.ok(value instanceof Set);
    if (mark === "$number") assert.equal(String(value), plain.$number);
  }
});

test("names are in the customs of the language", async () => {
  for (const { model: name, camel } of JSON.parse(read("names.json"))) {
    const db = connect(model, { entities: [], list: [name] }, { transport: { send() {} } });
    assert.deepEqual(Object.keys(db.query), [camel]);
    await db.ready;
  }
});
