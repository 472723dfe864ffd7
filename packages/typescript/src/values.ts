// Values between the program and the core. JSON lacks bytes, sets and exact numbers, so they are marked: {"$bytes": base64},
// {"$set": [..]}, {"$number": text}, and {"$map": ..} around a map that looks like a mark.
import { decodeBase64, encodeBase64 } from "./base64.js";
import { UsageError } from "./errors.js";
import type { Numeric } from "./types.js";

/** A number inside `any` or `map` that neither `number` nor `bigint` holds exactly. */
export class Exact {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

const marks = new Set(["$bytes", "$number", "$set", "$map"]);
const ignored = new Set(["$entity", "$followed"]);

/** In a change: a number that is added to the attribute's. */
export class Addition {
  constructor(readonly amount: Numeric) {}
}
/** In a change: values for the end of the attribute's list. */
export class Appendix {
  constructor(readonly values: readonly unknown[]) {}
}

/** The attributes of a row, of a key or of parameters. What is undefined was not given. */
export function encodeItem(item: object): Record<string, unknown> {
  const encoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined && !ignored.has(name)) encoded[name] = encodeValue(value, name);
  }
  return encoded;
}

export function encodeValue(value: unknown, name: string): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw usage(`\`${name}\` is ${value}, which is no number that can be stored`);
      return value;
    case "bigint":
      return { $number: String(value) };
    case "object":
      return value === null ? null : encodeObject(value, name);
    default:
      throw usage(`\`${name}\` is a ${typeof value}, which cannot be stored`);
  }
}

function encodeObject(value: object, name: string): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return { $bytes: encodeBase64(value) };
  if (value instanceof Exact) return { $number: value.text };
  if (value instanceof Set) return { $set: Array.from(value, (element) => encodeValue(element, name)) };
  if (Array.isArray(value)) return value.map((element) => encodeValue(element, name));
  if (value instanceof Addition || value instanceof Appendix) {
    throw usage(`\`${name}\`: add and append stand in changes only`);
  }
  const encoded: Record<string, unknown> = {};
  for (const [inner, element] of Object.entries(value)) {
    if (element !== undefined) encoded[inner] = encodeValue(element, `${name}.${inner}`);
  }
  const names = Object.keys(encoded);
  return names.length === 1 && marks.has(names[0]!) ? { $map: encoded } : encoded;
}

/** What changes, in the parts of an update: null removes an attribute. */
export function encodeChange(change: object): Record<string, unknown> {
  const [set, add, append] = [{}, {}, {}] as Record<string, unknown>[];
  const unset: string[] = [];
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || ignored.has(name)) continue;
    if (value === null) unset.push(name);
    else if (value instanceof Addition) add![name] = encodeValue(value.amount, name);
    else if (value instanceof Appendix) append![name] = value.values.map((element) => encodeValue(element, name));
    else set![name] = encodeValue(value, name);
  }
  return { set, unset, add, append };
}

/** Parameters of a pattern: a range has two ends, `name.from` and `name.to`. */
export function encodeParameters(parameters: object): Record<string, unknown> {
  const encoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (!isRange(value)) {
      encoded[name] = encodeValue(value, name);
      continue;
    }
    for (const [end, limit] of Object.entries(value)) {
      if (limit !== undefined) encoded[`${name}.${end}`] = encodeValue(limit, name);
    }
  }
  return encoded;
}

function isRange(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Date || value instanceof Uint8Array || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name === "from" || name === "to");
}

/** A marked value as the program has it. Changed in place: the objects are ours alone. */
export function decodeMarks(value: any): any {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    value.forEach((element, index) => { value[index] = decodeMarks(element); });
    return value;
  }
  const names = Object.keys(value);
  if (names.length === 1 && marks.has(names[0]!)) return decodeMark(names[0]!, value[names[0]!]);
  for (const name of names) value[name] = decodeMarks(value[name]);
  return value;
}

function decodeMark(mark: string, value: any): unknown {
  switch (mark) {
    case "$bytes":
      return decodeBase64(value);
    case "$number":
      return /^-?\d+$/.test(value) ? BigInt(value) : new Exact(value);
    case "$set":
      return new Set(value.map(decodeMarks));
    default:
      for (const name in value) value[name] = decodeMarks(value[name]);
      return value;
  }
}

/** Whether a text of JSON may have marks. */
export const hasMarks = (text: string): boolean => /\{"\$(?:bytes|number|set|map)":/.test(text);

const usage = (message: string) => new UsageError({ kind: "Usage", message });
