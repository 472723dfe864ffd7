// Values between the program and the core. JSON lacks bytes, sets and exact numbers, so they are marked: {"$bytes": base64},
// {"$set": [..]}, {"$number": text}, and {"$map": ..} around a map that looks like a mark.
import { decodeBase64, encodeBase64 } from "./base64.js";
import { usageError } from "./errors.js";
import type { Numeric } from "./types.js";

// A program may hold this package twice, as ES modules and as CommonJS, so what it gives goes by a registered symbol.
const brand = Symbol.for("monotable.value");
const mark = (value: object, kind: string) => Object.defineProperty(value, brand, { value: kind });
const isMarked = (value: unknown, kind: string) => (value as { [brand]?: string })[brand] === kind;

/** A number inside `any` or `map` that neither `number` nor `bigint` holds exactly. */
export class Exact {
  constructor(readonly text: string) {
    mark(this, "exact");
  }
  toString(): string {
    return this.text;
  }
}

const marks = new Set(["$bytes", "$number", "$set", "$map"]);
const ignored = new Set(["$entity", "$followed"]);

/** In a change: a number that is added to the attribute's. */
export class Addition {
  constructor(readonly amount: Numeric) {
    mark(this, "addition");
  }
}
/** In a change: values for the end of the attribute's list. */
export class Appendix {
  constructor(readonly values: readonly unknown[]) {
    mark(this, "appendix");
  }
}

const isExact = (value: unknown): value is Exact => isMarked(value, "exact");
const isAddition = (value: unknown): value is Addition => isMarked(value, "addition");
const isAppendix = (value: unknown): value is Appendix => isMarked(value, "appendix");

/** The attributes of a row, of a key or of parameters. What is undefined was not given. */
export function encodeItem(item: object): Record<string, unknown> {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    throw usageError(`attributes are given as an object such as { name: "Ann" }, and ${tellType(item)} was given`);
  }
  const encoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined && !ignored.has(name)) put(encoded, name, encodeValue(value, name));
  }
  return encoded;
}

export function encodeValue(value: unknown, name: string): unknown {
  switch (typeof value) {
    case "string":
      return checkText(value, name);
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw usageError(`\`${name}\` is ${value}, which is no number that can be stored`);
      return value;
    case "bigint":
      return { $number: String(value) };
    case "object":
      return value === null ? null : encodeObject(value, name);
    default:
      throw usageError(`\`${name}\` is ${tellType(value)}, which cannot be stored`);
  }
}

/** Half of a pair of surrogates is no character, and has no form in UTF-8. */
const halfPair = /\p{Surrogate}/u;

/** A text as the core can have it. */
export function checkText(text: unknown, name: string): string {
  if (typeof text !== "string") throw usageError(`\`${name}\` is ${tellType(text)}, and must be a text`);
  if (halfPair.test(text)) throw usageError(`\`${name}\` has half of a surrogate pair, which is no character`);
  return text;
}

/** What kind of object a value is, also if it was made in another realm, as tests of some runners are. */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

function tellType(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return typeof value === "object" ? `a value of the type ${kindOf(value)}` : `a ${typeof value}`;
}

function encodeObject(value: object, name: string): unknown {
  switch (kindOf(value)) {
    case "Object":
      return encodeMap(value, name);
    case "Array":
      return (value as unknown[]).map((element) => encodeValue(element, name));
    case "Date":
      return encodeTime(value as Date, name);
    case "Uint8Array":
      return { $bytes: encodeBase64(value as Uint8Array) };
    case "Set":
      return { $set: Array.from(value as Set<unknown>, (element) => encodeValue(element, name)) };
    default:
      throw usageError(`\`${name}\` is ${tellType(value)}, which cannot be stored`);
  }
}

/** A time as text. */
export function encodeTime(time: Date, name: string): string {
  if (Number.isNaN(time.getTime())) throw usageError(`\`${name}\` is an invalid Date`);
  return time.toISOString();
}

function encodeMap(value: object, name: string): unknown {
  if (isExact(value)) return { $number: value.text };
  if (isAddition(value) || isAppendix(value)) throw usageError(`\`${name}\`: add and append stand in changes only`);
  const encoded: Record<string, unknown> = {};
  for (const [inner, element] of Object.entries(value)) {
    if (element !== undefined) put(encoded, inner, encodeValue(element, `${name}.${inner}`));
  }
  const names = Object.keys(encoded);
  return names.length === 1 && marks.has(names[0]!) ? { $map: encoded } : encoded;
}

/** Sets an attribute. One called `__proto__` would change the object's prototype if it was assigned. */
function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true });
  else record[name] = value;
}

/** What a row must say. An undefined value would be a condition that nobody asks. */
export function encodeExpected(expected: object): Record<string, unknown> {
  for (const [name, value] of Object.entries(expected)) {
    if (value === undefined) throw usageError(`\`expecting.${name}\` is undefined: give null for an attribute that must be absent`);
  }
  return encodeItem(expected);
}

/** What changes, in the parts of an update: null removes an attribute. */
export function encodeChange(change: object): Record<string, unknown> {
  if (typeof change !== "object" || change === null) throw usageError(`a change is an object, and ${tellType(change)} was given`);
  const [set, add, append] = [{}, {}, {}] as [Record<string, unknown>, Record<string, unknown>, Record<string, unknown>];
  const unset: string[] = [];
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || ignored.has(name)) continue;
    if (value === null) unset.push(name);
    else if (isAddition(value)) put(add, name, encodeValue(value.amount, name));
    else if (isAppendix(value)) put(append, name, value.values.map((element) => encodeValue(element, name)));
    else put(set, name, encodeValue(value, name));
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
  if (kindOf(value) !== "Object") return false;
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
