// A script, run through the TypeScript client. `db.call(operation)` is the untyped entry under the generated methods.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "monotable";
import { wholeCore } from "monotable/memory";
import { check, kept } from "./expectation.js";
import { Faulty } from "./faults.js";
import { asItem, makeOperation, showItem, showOutput } from "./operation.js";
import { Statement, Variables, parseRange, parseScript } from "./script.js";

/** How often a read is tried until it is what is expected. */
const looks = 40;
/** Where the clock stands at the beginning: 2025-11-18T12:00:00Z, in microseconds. */
const beginning = 1_763_467_200_000_000;
const retry = { attempts: 12, base: 1, cap: 20 };
const reads = new Set(["get", "query", "log", "show", "diff"]);
const tasks = new Set(["verify", "notes", "unfinished", "adopt", "recount", "backfill", "convert", "finish"]);
const raw = new Set(["setup", "drop", "item", "load", "items", "digest", "backup", "restore", ...tasks]);

export class Runner {
  variables = new Variables();
  micros = beginning;
  #text = "";
  #settings = {};
  #principal;
  #tenant;
  #client;
  #compiled;
  #backups = new Map();

  /**
   * `transport` leads to an empty DynamoDB; `random` gives chance; `models.read(name)` gives the text of a model, and
   * `models.compile(text)` what a generated file carries, with its first table.
   */
  constructor({ transport, random, models }) {
    this.faulty = new Faulty(transport);
    this.transport = transport;
    this.random = random;
    this.models = models;
  }

  async run(script) {
    await this.#all(parseScript(script));
  }

  async #all(entries) {
    for (const entry of entries) {
      const [word] = entry.text.split(/\s/, 1);
      if (word === "for") {
        const { name, from, to } = parseRange(entry);
        for (let number = from; number <= to; number += 1) {
          this.variables.set(name, number);
          await this.#all(entry.inside);
        }
        continue;
      }
      const problem = word === "parallel" ? await this.#sideBySide(entry) : await this.#one(entry);
      if (problem !== undefined) throw new Error(`line ${entry.line}: ${entry.text}\n    ${problem}`);
    }
  }

  /** Calls at the same time; what is expected is expected of the list of their answers. */
  async #sideBySide(entry) {
    const { name, from, to } = parseRange(entry);
    const calls = [];
    for (let number = from; number <= to; number += 1) {
      this.variables.set(name, number);
      for (const inside of entry.inside) calls.push(this.#call(...this.#assemble(inside)));
    }
    const value = (await Promise.all(calls)).map(kept);
    return check({ value }, entry.expected, this.variables);
  }

  async #one(entry) {
    const statement = new Statement(entry.text, this.variables);
    for (let look = 1; ; look += 1) {
      const answer = await this.#answer(statement, entry);
      const problem = check(answer, entry.expected, this.variables);
      if (problem === undefined) {
        if (statement.keptAs) this.variables.set(statement.keptAs, kept(answer));
        return undefined;
      }
      if (!reads.has(statement.word) || look === looks) return problem;
      await sleep(1);
    }
  }

  async #answer(statement, entry) {
    if (this.#surroundings(statement)) return { value: null };
    switch (statement.word) {
      case "requests": return { value: this.faulty.takeRequests() };
      case "largest": return { value: this.faulty.largest };
      default: return raw.has(statement.word) ? this.#raw(statement) : this.#call(...this.#assemble(entry));
    }
  }

  /** Statements that change what the script runs in. */
  #surroundings(statement) {
    switch (statement.word) {
      case "model":
        this.#text = this.models.read(statement.wordAt(0));
        break;
      case "patch": {
        const [old, fresh] = [statement.jsonAt(0), statement.jsonAt(1)];
        if (!this.#text.includes(old)) throw new Error(`the model has no ${old}`);
        this.#text = this.#text.split(old).join(fresh);
        break;
      }
      case "setting":
        this.#settings = statement.jsonAt(0);
        break;
      case "as":
        this.#principal = statement.has("store") ? undefined : statement.jsonAt(0);
        return true;
      case "tenant":
        this.#tenant = statement.wordAt(0) === "none" ? undefined : statement.wordAt(0);
        return true;
      case "at": {
        const before = this.micros;
        this.micros = Date.parse(statement.wordAt(0)) * 1000;
        if (this.micros >= before) return true;
        break;
      }
      case "after":
        this.micros += Number.parseInt(statement.wordAt(0), 10) * 1000;
        return true;
      case "let":
        this.variables.set(statement.wordAt(0), statement.jsonAt(1));
        return true;
      case "fault":
        this.faulty.set(statement.wordAt(0), Number(statement.wordAt(1) ?? 1));
        return true;
      default:
        return false;
    }
    // A client's clock never goes back and its settings never change: the script goes on with another one.
    this.#client = undefined;
    return true;
  }

  #assemble(entry) {
    return makeOperation(new Statement(entry.text, this.variables), this.#operations(entry.inside));
  }

  /** The operations inside a block, loops unrolled. */
  #operations(entries) {
    return entries.flatMap((entry) => {
      if (!entry.text.startsWith("for ")) return [this.#assemble(entry)[0]];
      const { name, from, to } = parseRange(entry);
      return Array.from({ length: to - from + 1 }, (_, offset) => {
        this.variables.set(name, from + offset);
        return this.#operations(entry.inside);
      }).flat();
    });
  }

  async #open() {
    if (this.#client) return;
    this.#compiled = await this.models.compile(this.#text);
    // The outline has no names: `call` takes any operation.
    this.#client = connect(this.#compiled.model, { entities: [] }, {
      transport: { send: (...request) => this.faulty.send(...request) },
      settings: this.#settings, retry, module: await wholeCore(), random: this.random, clock: () => this.micros / 1000,
      cursorKey: "a key of more than thirty-two characters",
    });
  }

  /** The client as the script's caller has it. */
  async #enter(context = {}) {
    await this.#open();
    const inside = this.#client.with({ ...context, tenant: this.#tenant });
    return this.#principal ? inside.as(this.#principal) : inside;
  }

  async #call(operation, { dry, ip, source, ...options }) {
    const client = await this.#enter({ ip, source });
    const call = client.call(operation, options);
    return this.#told(() => (dry ? call.dryRun() : call), (output) => showOutput(operation, output));
  }

  async #told(act, show) {
    try {
      return show(await act());
    } catch (error) {
      if (error.kind === undefined) throw error;
      return { error };
    }
  }

  /** Statements about what is stored, and about whole tables. */
  async #raw(statement) {
    const client = await this.#enter();
    const { table } = this.#compiled;
    switch (statement.word) {
      case "setup":
        return this.#told(() => client.call({ setup: {} }), (made) => ({ value: made.filter((one) => one.new).length }));
      case "drop":
        for (const TableName of this.#compiled.tables) await this.#send("DeleteTable", { TableName });
        return { value: null };
      case "item": {
        const names = [table.hash, table.range].filter(Boolean);
        const Key = Object.fromEntries(names.map((name, at) => [name, { S: statement.jsonAt(0)[at] ?? "" }]));
        const { Item } = await this.#send("GetItem", { TableName: table.name, Key, ConsistentRead: true });
        return { value: Item ? showItem(Item) : null };
      }
      case "load":
        await this.#send("PutItem", { TableName: table.name, Item: asItem(statement.jsonAt(0)) });
        return { value: null };
      case "items": {
        const prefix = statement.jsonAt(0) ?? "";
        const found = (await this.items(table.name)).filter((item) => item[table.hash].S?.startsWith(prefix));
        return { value: found.map(showItem) };
      }
      case "digest": {
        const lines = (await this.items(table.name)).map((item) => JSON.stringify(sortNames(showItem(item)))).sort();
        return { value: createHash("sha256").update(lines.join("\n")).digest("hex") };
      }
      case "backup": return this.#backup(statement.wordAt(0));
      case "restore": return this.#restore(statement.wordAt(0));
      default: return this.#task(client, statement.word);
    }
  }

  #task(client, word) {
    const shown = { verify: "violations", notes: "notes", unfinished: "unfinished" }[word];
    return this.#told(() => client.call({ [shown ? "verify" : word]: {} }), (told) => ({ value: shown ? told[shown] : told }));
  }

  async #backup(name) {
    const tables = new Map();
    for (const table of this.#compiled.tables) tables.set(table, await this.items(table));
    this.#backups.set(name, tables);
    return { value: [...tables.values()].reduce((sum, items) => sum + items.length, 0) };
  }

  async #restore(name) {
    let count = 0;
    for (const [TableName, items] of this.#backups.get(name)) {
      for (const Item of items) await this.#send("PutItem", { TableName, Item });
      count += items.length;
    }
    return { value: count };
  }

  /** A request beside the client. */
  async #send(operation, input) {
    const answer = await this.transport.send(operation, structuredClone(input), {});
    if (!("ok" in answer)) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
    return answer.ok;
  }

  /** Every item of a table but the store's own, which differs from run to run. */
  async items(TableName) {
    const items = [];
    let ExclusiveStartKey;
    do {
      const page = await this.#send("Scan", { TableName, ConsistentRead: true, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) });
      items.push(...page.Items);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return items.filter((item) => Object.values(item).every((value) => value.S !== "monotable#store"));
  }

  /** All items of all tables, each as one line, in one order. */
  async dump() {
    const lines = [];
    for (const table of this.#compiled?.tables ?? []) {
      for (const item of await this.items(table)) lines.push(`${table} ${JSON.stringify(sortNames(item))}`);
    }
    return lines.sort();
  }
}

function sortNames(value) {
  if (Array.isArray(value)) return value.map(sortNames);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sortNames(value[name])]));
}
