// Scripts of `scenarios/`, run by the generated client. tools/scenarios/GRAMMAR.md describes them.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { paths } from "./yggdrasil.js";

type Json = unknown;
type Row = Record<string, Json>;
interface Entry { line: number; text: string; expected: string[]; inside: Entry[] }
type Answer =
  | { kind: "value"; value: Json }
  | { kind: "page"; value: Row }
  | { kind: "error"; code: string; detail: string };

/** Statements that look at what is stored, which this client does not see. */
const LOOKS = new Set(["setup", "item", "items", "verify", "digest", "requests", "largest"]);
/** Statements that need more than the API: broken rows, faults, repairs, settings of the deployment. */
const BEYOND = new Set([
  "adopt", "at", "backfill", "backup", "convert", "drop", "fault", "finish", "load", "notes", "patch", "recount", "restore", "setting",
  "unfinished",
]);
const MARKS = ["= ", "== ", "~ ", "! ", "# ", "followed = ", "followed ~ ", "dangling = ", "more", "end", "contains "];

/** The name under which a statement keeps its answer. */
const KEPT = / -> ([A-Za-z0-9_]+)$/;
/** Where the clock of a script stands when it begins. A real server has a real clock. */
const STANDING = Date.parse("2025-11-18T12:00:00.000Z");

export function parse(text: string): Entry[] {
  const blocks: Entry[][] = [[]];
  const heads: Entry[] = [];
  text.split("\n").forEach((raw, index) => {
    if (!raw.trim() || (raw.trimStart().startsWith("# ") && !raw.startsWith("  # ")) || raw === "#") return;
    const entries = blocks.at(-1)!;
    if (raw.startsWith("  ")) {
      const rest = raw.trim();
      const last = entries.at(-1)!;
      if (MARKS.some((mark) => rest.startsWith(mark) || rest === mark.trim())) last.expected.push(rest);
      else if (last.expected.length) last.expected[last.expected.length - 1] += ` ${rest}`;
      else last.text += ` ${rest}`;
      return;
    }
    const entry: Entry = { line: index + 1, text: raw.trimEnd(), expected: [], inside: [] };
    const word = raw.split(/\s+/)[0]!;
    if (["for", "parallel", "transact"].includes(word)) {
      heads.push(entry);
      blocks.push([]);
    } else if (word === "done") {
      const head = heads.pop()!;
      head.inside = blocks.pop()!;
      blocks.at(-1)!.push(head);
    } else entries.push(entry);
  });
  return blocks[0]!;
}

/** Whether the API alone is enough for a script. */
export function isWithinReach(entries: Entry[]): boolean {
  return entries.every((entry) => !BEYOND.has(entry.text.split(/\s+/)[0]!) && isWithinReach(entry.inside));
}

interface Document { paths: Record<string, Record<string, { operationId: string }>> }

export class Player {
  private readonly variables: Record<string, Json> = {};
  private readonly addresses = new Map<string, string>();
  private readonly client;
  private principal: Json | undefined;
  private readonly begun = Date.now();
  /** What statements kept that this client leaves out, and so whatever is said about it. */
  private readonly unseen = new Set<string>();
  /** How many calls were made. */
  calls = 0;

  constructor(url: string, document: Document) {
    this.client = createClient<paths>({ baseUrl: url });
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item)) this.addresses.set(operation.operationId, path);
    }
  }

  async play(entries: Entry[]): Promise<void> {
    for (const entry of entries) {
      try {
        await this.one(entry);
      } catch (error) {
        throw new Error(`line ${entry.line}: ${entry.text}\n  ${String(error)}`);
      }
    }
  }

  private async one(entry: Entry): Promise<void> {
    const word = entry.text.split(/\s+/)[0]!;
    const uses = [...entry.text.matchAll(/\$([A-Za-z0-9_]+)/g)].map((found) => found[1]!);
    if (LOOKS.has(word) || word === "model" || uses.some((name) => this.unseen.has(name))) {
      const kept = KEPT.exec(entry.text);
      if (kept) this.unseen.add(kept[1]!);
      return;
    }
    if (word === "after") {
      await sleep(Number(/(\d+)ms$/.exec(entry.text)![1]));
      return;
    }
    if (word === "for" || word === "parallel") {
      const [, name, , range] = entry.text.split(/\s+/);
      const [from, to] = range!.split("..").map(Number);
      const calls: Promise<Answer>[] = [];
      for (let number = from!; number <= to!; number += 1) {
        this.variables[name!] = number;
        if (word === "for") await this.play(entry.inside);
        else for (const inside of entry.inside) calls.push(this.call(this.statement(inside.text), []));
      }
      if (word === "parallel") {
        const answers = (await Promise.all(calls)).map(keep);
        this.check({ kind: "value", value: answers }, entry.expected);
      }
      return;
    }
    const statement = this.statement(entry.text);
    if (word === "let") {
      this.variables[statement.parts[0] as string] = statement.parts[1];
      return;
    }
    if (word === "as") {
      this.principal = statement.parts[0] === "store" ? undefined : statement.parts[0];
      return;
    }
    const answer = await this.call(statement, entry.inside);
    this.check(answer, entry.expected);
    if (statement.keptAs) this.variables[statement.keptAs] = keep(answer);
  }

  private statement(text: string): { word: string; parts: Json[]; keptAs?: string } {
    const kept = KEPT.exec(text);
    let rest = (kept ? text.slice(0, kept.index) : text).trim();
    const parts: Json[] = [];
    while (rest) {
      if (/^[{["]/.test(rest)) {
        const end = jsonEnd(rest);
        parts.push(this.fill(JSON.parse(rest.slice(0, end))));
        rest = rest.slice(end).trimStart();
      } else {
        const [word] = rest.split(/\s/, 1);
        parts.push(word!.startsWith("$") ? this.fill(word!) : this.fillText(word!));
        rest = rest.slice(word!.length).trimStart();
      }
    }
    const [word, ...others] = parts;
    return { word: word as string, parts: others, ...(kept ? { keptAs: kept[1]! } : {}) };
  }

  private async call(statement: { word: string; parts: Json[] }, inside: Entry[]): Promise<Answer> {
    const { word, parts } = statement;
    const [subject, first, second] = parts as [string, Row, Row];
    const query: Row = {};
    const headers: Record<string, string> = {};
    if (this.principal) headers["Monotable-Principal"] = JSON.stringify(this.principal);
    const after = (name: string) => parts[parts.indexOf(name) + 1];
    if (parts.includes("expecting")) query["expecting"] = JSON.stringify(after("expecting"));
    if (parts.includes("token")) headers["Idempotency-Key"] = String(after("token"));
    if (parts.includes("dry")) query["dry-run"] = true;
    if (parts.includes("consistent")) query["consistent"] = true;
    const json = "application/json";
    switch (word) {
      case "create": return this.send("post", `create${subject}`, {}, query, headers, first, json);
      case "attach": return this.send("post", `attach${subject}`, {}, query, headers, first, json);
      case "get": return this.send("get", `get${subject}`, first, query, headers);
      case "delete": return this.send("delete", `delete${subject}`, first, query, headers);
      case "detach": return this.send("delete", `detach${subject}`, first, query, headers);
      case "put": return this.send("put", `put${subject}`, first, query, headers, first, json);
      case "update": {
        const words = ["set", "unset", "add", "append"];
        const isChange = Object.keys(second).length > 0 && Object.keys(second).every((key) => words.includes(key));
        return this.send("patch", `update${subject}`, first, query, headers, second, isChange ? json : "application/merge-patch+json");
      }
      case "move": return this.send("post", `move_${subject}`, {}, query, headers, { key: first, set: second }, json);
      case "check-secret": return this.send("post", `check${subject}${parts[2] as string}`, first, query, headers, { text: parts[3] }, json);
      case "query": {
        if (parts.includes("limit")) query["limit"] = Number(after("limit"));
        if (parts.includes("after")) query["cursor"] = after("after");
        if (parts.includes("descending")) query["descending"] = true;
        const parameters = typeof first === "object" ? first : {};
        return this.send("get", `query_${subject}`, {}, { ...parameters, ...query }, headers);
      }
      case "transact": {
        const operations = inside.map((entry) => {
          const { word, parts } = this.statement(entry.text);
          const [entity, first, second] = parts as [string, Row, Row];
          if (["delete", "detach", "get"].includes(word)) return { [word]: entity, key: first };
          if (word === "update") return { update: entity, key: first, set: second };
          return { [word]: entity, values: first };
        });
        return this.send("post", "transact", {}, query, headers, { operations }, json);
      }
      default: throw new Error(`there is no statement ${word}`);
    }
  }

  /** One call of the generated client: the document says the address of each operation. */
  private async send(
    method: "get" | "put" | "post" | "delete" | "patch", operation: string, key: Row, query: Row, headers: Record<string, string>, body?: Json, type?: string,
  ): Promise<Answer> {
    const path = this.addresses.get(operation);
    if (!path) throw new Error(`the document has no operation ${operation}`);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
    const isAddressed = names.every((name) => ["string", "number"].includes(typeof key[name]));
    const rest = Object.fromEntries(Object.entries(body && method === "put" ? (body as Row) : {}).filter(([name]) => !names.includes(name)));
    this.calls += 1;
    const options = {
      params: { path: Object.fromEntries(names.map((name) => [name, key[name]])), query },
      headers: { ...headers, ...(type ? { "content-type": type } : {}) },
      ...(body === undefined ? {} : { body: method === "put" ? rest : body }),
    };
    if (!isAddressed) throw new Error(`the key of ${operation} has other attributes than its address: ${JSON.stringify(key)}`);
    const request = this.client.request as unknown as (m: string, p: string, o: object) => Promise<{ data?: Json; error?: Row }>;
    const { data, error } = await request(method, path, options);
    if (error) return { kind: "error", code: String(error["code"]), detail: String(error["detail"]) };
    const value = rename(data);
    if (operation === "transact") return { kind: "value", value: (value as Row)["rows"] };
    if (operation.startsWith("check")) return { kind: "value", value: (value as Row)["holds"] };
    return operation.startsWith("query_") ? { kind: "page", value: value as Row } : { kind: "value", value };
  }

  private check(answer: Answer, expected: string[]): void {
    if (answer.kind === "error" && !expected.some((line) => line.startsWith("! "))) {
      throw new Error(`${answer.code}: ${answer.detail}`);
    }
    for (const line of expected) {
      if (!this.holds(answer, line)) throw new Error(`${line}\n    found ${JSON.stringify(answer)}`);
    }
  }

  private holds(answer: Answer, line: string): boolean {
    const [mark, ...words] = line.split(" ");
    const rest = words.join(" ");
    const value = answer.kind === "page" ? answer.value["rows"] : keep(answer);
    const part = (name: string) => (answer.kind === "page" ? answer.value[name] : undefined);
    const json = (text: string) => this.fill(JSON.parse(text));
    switch (mark) {
      case "!": {
        const [code, ...detail] = this.fillText(rest).split(" ");
        return answer.kind === "error" && answer.code === code && answer.detail.includes(detail.join(" "));
      }
      case "=": return subset(value, json(rest), this.begun);
      case "==": return subset(value, json(rest), this.begun) && names(value) === names(json(rest));
      case "~": return unordered(value, json(rest), this.begun);
      case "contains": return (value as Json[]).some((one) => subset(one, json(rest), this.begun));
      case "#": {
        const count = Array.isArray(value) ? value.length : Number(value);
        if (rest.startsWith("<=")) return count <= Number(rest.slice(2));
        return rest.startsWith(">=") ? count >= Number(rest.slice(2)) : count === Number(rest);
      }
      case "followed": {
        const found = part("followed") ?? [];
        const wanted = json(words.slice(1).join(" "));
        return words[0] === "=" ? subset(found, wanted, this.begun) : unordered(found, wanted, this.begun);
      }
      case "dangling": return subset(part("dangling") ?? [], json(words.slice(1).join(" ")), this.begun);
      case "more": return part("cursor") !== undefined;
      case "end": return part("cursor") === undefined;
      default: throw new Error(`there is no expectation ${line}`);
    }
  }

  private fill(json: Json): Json {
    if (typeof json === "string") return /^\$[A-Za-z0-9_.]+$/.test(json) ? this.find(json.slice(1)) : this.fillText(json);
    if (Array.isArray(json)) return json.map((one) => this.fill(one));
    if (json && typeof json === "object") {
      return Object.fromEntries(Object.entries(json).map(([name, value]) => [this.fillText(name), this.fill(value)]));
    }
    return json;
  }

  private fillText(text: string): string {
    return text.replace(/\$\$|\$([A-Za-z0-9_.]*[A-Za-z0-9_])/g, (all, path: string | undefined) => {
      if (path === undefined) return "$";
      const value = this.find(path);
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  }

  private find(path: string): Json {
    return path.split(".").reduce<Json>((value, name) => {
      const next = (value as Row | undefined)?.[name];
      if (next === undefined) throw new Error(`nothing is called $${path}`);
      return next;
    }, this.variables);
  }
}

/** Where the JSON at the beginning of a text ends. */
function jsonEnd(text: string): number {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (inText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if ("{[".includes(sign)) depth += 1;
    else if ("}]".includes(sign)) depth -= 1;
    if (depth === 0 && !inText) return at + 1;
  }
  throw new Error(`no JSON in ${text}`);
}

/** Scripts have the entity's name under `entity`. */
function rename(json: Json): Json {
  if (Array.isArray(json)) return json.map(rename);
  if (!json || typeof json !== "object") return json;
  const entries = Object.entries(json).map(([name, value]) => [name, rename(value)] as const);
  const row = Object.fromEntries(entries) as Row;
  if (typeof row["$entity"] === "string") {
    row["entity"] ??= row["$entity"];
    delete row["$entity"];
  }
  return row;
}

const keep = (answer: Answer): Json => (answer.kind === "error" ? `${answer.code} ${answer.detail}` : answer.value);

/** Whether what was found has at least what is wanted. `begun` is when the script began: its clock stands still, the server's does not. */
function subset(found: Json, wanted: Json, begun: number): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && found.length === wanted.length && wanted.every((one, at) => subset(found[at], one, begun));
  }
  if (wanted && typeof wanted === "object") {
    return Object.entries(wanted).every(([name, value]) => subset((found as Row | undefined)?.[name], value, begun));
  }
  if (wanted === null) return found === undefined || found === null;
  if (typeof wanted === "string" && /^\/.+\/$/.test(wanted)) return typeof found === "string" && found.includes(wanted.slice(1, -1));
  return found === wanted || isMoment(found, wanted, begun);
}

/** Whether a time of the script's clock is one of this run: as long after its beginning, and past. */
function isMoment(found: Json, wanted: Json, begun: number): boolean {
  const passed = Date.parse(String(wanted)) - STANDING;
  if (!(passed >= 0 && passed < 60_000) || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(found))) return false;
  const time = Date.parse(String(found));
  return time >= begun + passed && time <= Date.now();
}

/** The names of all members, in an order of their own. */
function names(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(names).join()}]`;
  if (!json || typeof json !== "object") return "";
  const members = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, value]) => `${name}:${names(value)}`).join()}}`;
}

function unordered(found: Json, wanted: Json, begun: number): boolean {
  const left = [...(found as Json[])];
  for (const one of wanted as Json[]) {
    const at = left.findIndex((candidate) => subset(candidate, one, begun));
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

export const readScript = (path: string): Entry[] => parse(readFileSync(path, "utf8"));
