// What a generated file opens: plain objects made from the outline of its model.
import { LazyCall, LazyListing, checkCount, isDescending, readPage, takePart } from "./call.js";
import type { Asked } from "./call.js";
import { Connection } from "./connection.js";
import type { Settings, State } from "./connection.js";
import { NotFoundError, usageError } from "./errors.js";
import type { Platform } from "./platform.js";
import { commitAll, makeRepository, readCommitted, readDifferences } from "./repository.js";
import { parseImage, readChanges } from "./stream.js";
import type { CallOptions, ChangeOptions, Context, ListOptions, OpenOptions, Purged, ReadOptions, StreamRecord, Write, WriteOptions } from "./types.js";
import { checkText, encodeChange, encodeItem, encodeParameters } from "./values.js";

/** The names of a model, as generated code has them. */
export interface Outline {
  entities: readonly string[];
  /** Entities whose rows relate others: attach and detach take the place of create and delete. */
  relations?: readonly string[];
  /** Patterns that give at most one row, and those that give lists. */
  one?: readonly string[];
  list?: readonly string[];
  /** Patterns that compare two revisions. */
  diffs?: readonly string[];
  /** Moves, ways back and purges; and those of them that take new values of the key. */
  moves?: readonly string[];
  transfers?: readonly string[];
  /** Repositories with their entities. */
  repositories?: Readonly<Record<string, readonly string[]>>;
  carries?: readonly string[];
  /** The model says what an owner has, so that all of it can be deleted. */
  purge?: boolean;
  /** Rows belong to tenants; these patterns belong to nobody. */
  tenant?: boolean;
  global?: readonly string[];
  /** Integers without a bound: `Entity.attribute`. */
  bigint?: readonly string[];
}

/** A client of a model in one context. */
export class Scope {
  constructor(readonly connection: Connection, readonly outline: Outline, readonly state: State) {}

  enter(state: Partial<State>): Scope {
    return new Scope(this.connection, this.outline, { ...this.state, ...state });
  }

  /** A context as a program gives it. What is not a text would be refused by the core, which takes that for a mistake of ours. */
  enterContext(context: Context): Scope {
    const { ip, source, consistent } = context;
    if (ip !== undefined) checkText(ip, "ip");
    if (source !== undefined) checkText(source, "source");
    return this.enter(consistent === undefined ? context : { ...context, consistent: Boolean(consistent) });
  }

  /** Without a tenant's id the core would take the tenant without prefix. */
  enterTenant(tenant: unknown): Scope {
    return this.enter({ tenant: checkText(typeof tenant === "number" ? String(tenant) : tenant, "tenant") });
  }

  /** What is asked, with what the options of a call say. */
  ask<T>(name: string, operation: Record<string, unknown>, options: ChangeOptions<object> & ReadOptions, read: (done: any) => T): Asked<T> {
    const settings: Settings = {};
    if (options.expecting) settings.expecting = options.expecting;
    if (options.token !== undefined) settings.token = checkText(options.token, "token");
    if (options.consistent) settings.consistent = true;
    return { name, operation, settings, state: this.state, signal: options.signal, read };
  }

  call<T>(name: string, operation: Record<string, unknown>, options: object | undefined, read: (done: any) => T): LazyCall<T> {
    return new LazyCall(this.connection, this.ask(name, operation, options ?? {}, read));
  }

  /** A row of the core as the program has it. */
  readRow = (row: any): any => {
    for (const name of this.outline.bigint ?? []) {
      const [entity, attribute] = name.split(".") as [string, string];
      if (row.$entity === entity && typeof row[attribute] === "number") row[attribute] = BigInt(row[attribute]);
    }
    return row;
  };
}

/** Makes the client of a generated file. */
export function makeClient(platform: Platform, model: string, outline: Outline, options: object): any {
  const connection = new Connection(platform, model, outline.bigint ?? [], options as OpenOptions<string, object>);
  const scope = new Scope(connection, outline, {});
  return outline.tenant ? makeGlobal(scope) : makeScoped(scope);
}

/** What needs no tenant, in a model whose rows have one. */
function makeGlobal(scope: Scope): object {
  return addStreams(scope, {
    query: makeQueries(scope, new Set(scope.outline.global ?? [])),
    tenant: (tenant: unknown) => makeScoped(scope.enterTenant(tenant)),
    with: (context: Context) => makeGlobal(scope.enterContext(context)),
  });
}

function makeScoped(scope: Scope): object {
  const { outline } = scope;
  const client: Record<string, unknown> = {};
  // Made when they are asked for: a request derives its own client and uses a few of them.
  for (const entity of outline.entities) define(client, entity, () => makeEntity(scope, entity));
  define(client, "query", () => makeQueries(scope));
  if (outline.moves) define(client, "move", () => makeMoves(scope));
  if (outline.repositories) {
    define(client, "repository", () => makeRepositories(scope, outline.repositories!));
    client.commitAll = (commits: readonly unknown[], settings?: WriteOptions) => commitAll(scope, commits, settings);
  }
  if (outline.purge) client.purge = (owner: object, settings?: CallOptions) => purge(scope, owner, settings);
  if (outline.carries) define(client, "carry", () => makeCarries(scope));
  return addStreams(scope, Object.assign(client, {
    as: (principal: object) => makeScoped(scope.enter({ principal: encodeItem(principal) })),
    asProgram: (program: object) => makeScoped(scope.enter({ program: encodeItem(program) })),
    with: (context: Context) => makeScoped(scope.enterContext(context)),
    transact: (writes: readonly Write<unknown>[], settings?: WriteOptions) => transact(scope, writes, settings),
    call: (operation: object, settings?: ChangeOptions<object>) => callAny(scope, operation, settings),
  }));
}

function addStreams(scope: Scope, client: object): object {
  const { connection } = scope;
  const added = Object.assign(client, {
    parse: (image: object, options?: { table?: string }) => parseImage(scope, image, options),
    changes: (event: { Records: readonly StreamRecord[] }) => readChanges(scope, event),
    ready: connection.ready,
  });
  return Object.defineProperty(added, "model", { get: () => connection.model, enumerable: true });
}

function define(target: object, name: string, make: () => unknown): void {
  Object.defineProperty(target, name, {
    configurable: true, enumerable: true,
    get() {
      const value = make();
      Object.defineProperty(target, name, { value, enumerable: true });
      return value;
    },
  });
}

/** `persons_of_tree` is `personsOfTree`; underscores at the beginning stay. The generator has the same rule. */
function camel(name: string): string {
  const [, lead = "", body = ""] = /^(_*)(.*)$/s.exec(name)!;
  const [first = "", ...words] = body.split("_").filter((word) => word !== "");
  return lead + first + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

function makeEntity(scope: Scope, entity: string): object {
  const { readRow } = scope;
  const write = (verb: string) => (values: object, options?: WriteOptions) =>
    scope.call(`${entity}.${verb}`, { [verb]: entity, values: encodeItem(values) }, options, readRow);
  const remove = (verb: string) => (key: object, options?: ChangeOptions<object>) =>
    scope.call(`${entity}.${verb}`, { [verb]: entity, key: encodeItem(key) }, options, readRow);
  const get = (key: object, options?: ReadOptions) =>
    scope.ask(`${entity}.get`, { get: entity, key: encodeItem(key) }, options ?? {}, readRow);
  const update = (key: object, change: object, options?: ChangeOptions<object>) =>
    scope.call(`${entity}.update`, { update: entity, key: encodeItem(key), ...encodeChange(change) }, options, readRow);
  const common = {
    get: (key: object, options?: ReadOptions) =>
      new LazyCall(scope.connection, { ...get(key, options), recover: absentIfNotFound }),
    getOrThrow: (key: object, options?: ReadOptions) => new LazyCall(scope.connection, get(key, options)),
    update,
  };
  if (scope.outline.relations?.includes(entity)) return { attach: write("attach"), ...common, detach: remove("detach") };
  return {
    create: write("create"), ...common, put: write("put"), delete: remove("delete"),
    checkSecret: (key: object, attribute: string, text: string, options?: ReadOptions) =>
      scope.call(`${entity}.checkSecret`, { check_secret: entity, key: encodeItem(key), attribute, text }, options, Boolean),
  };
}

function absentIfNotFound(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}

function makeQueries(scope: Scope, only?: ReadonlySet<string>): object {
  const { outline, readRow } = scope;
  const asked = (pattern: string) => !only || only.has(pattern);
  const operation = (pattern: string, parameters: object | undefined, { limit, after, order }: ListOptions = {}) => {
    if (limit !== undefined) checkCount(limit, "limit", 1);
    const descending = order === undefined ? {} : { descending: isDescending(order) };
    return { query: pattern, parameters: encodeParameters(parameters ?? {}), limit, after, ...descending };
  };
  const queries: Record<string, unknown> = {};
  for (const pattern of (outline.one ?? []).filter(asked)) {
    queries[camel(pattern)] = (parameters?: object, options?: ReadOptions) =>
      scope.call(`query.${camel(pattern)}`, operation(pattern, parameters), options, (page) => readPage(page, readRow).rows[0]);
  }
  for (const pattern of (outline.list ?? []).filter(asked)) {
    queries[camel(pattern)] = (parameters?: object, options?: ListOptions) => new LazyListing(scope.connection,
      scope.ask(`query.${camel(pattern)}`, operation(pattern, parameters, options), options ?? {}, (page) => readPage(page, readRow)));
  }
  for (const pattern of (outline.diffs ?? []).filter(asked)) {
    queries[camel(pattern)] = (parameters?: object, options?: ReadOptions) =>
      scope.call(`query.${camel(pattern)}`, operation(pattern, parameters), options, (done) => readDifferences(scope, done));
  }
  return queries;
}

function makeMoves(scope: Scope): object {
  const moves = scope.outline.moves ?? [];
  const call = (name: string, key: object, to: object, options?: WriteOptions) =>
    scope.call(`move.${camel(name)}`, { move: name, key: encodeItem(key), set: encodeItem(to) }, options, scope.readRow);
  const transfer = (name: string) => (key: object, to: object, options?: WriteOptions) => call(name, key, to, options);
  const move = (name: string) => (key: object, options?: WriteOptions) => call(name, key, {}, options);
  const transfers = new Set(scope.outline.transfers ?? []);
  return Object.fromEntries(moves.map((name) => [camel(name), transfers.has(name) ? transfer(name) : move(name)]));
}

/** Everything of an owner. */
function purge(scope: Scope, owner: object, options?: CallOptions): LazyCall<Purged> {
  return scope.call("purge", { purge: encodeItem(owner) }, options, ({ partitions, ...told }) => ({
    ...told,
    partitions: partitions.map(({ revision, ...partition }: any) => (revision === null ? partition : { revision, ...partition })),
  }));
}

function makeRepositories(scope: Scope, repositories: Readonly<Record<string, readonly string[]>>): object {
  return Object.fromEntries(Object.entries(repositories).map(([name, entities]) =>
    [name, (key: object) => makeRepository(scope, name, entities, key)]));
}

function makeCarries(scope: Scope): object {
  const carries = scope.outline.carries ?? [];
  return Object.fromEntries(carries.map((name) => [camel(name), (key: object, says?: object, options?: WriteOptions) =>
    scope.call(`carry.${camel(name)}`, { carry: name, key: encodeItem(key), values: encodeItem(says ?? {}) }, options,
      (done) => readCommitted(scope, done))]));
}

/** Several writes of this client, all or none. Each call reads its own row of the answer. */
function transact(scope: Scope, writes: readonly unknown[], options?: WriteOptions): LazyCall<unknown[]> {
  const calls = writes.map((write) => {
    const call = takePart(scope, "transact", write);
    if (call.asked.settings.expecting) throw usageError("inside transact a write cannot have `expecting`");
    return call;
  });
  const read = (rows: unknown[]) => rows.map((row, position) => calls[position]!.asked.read(row));
  return scope.call("transact", { transact: calls.map((call) => call.asked.operation) }, options, read);
}

/** Any operation as data: its values are plain JSON already, and its answer is what the core says. */
function callAny(scope: Scope, operation: object, options?: ChangeOptions<object>): LazyCall<unknown> {
  const [name = "call"] = Object.keys(operation);
  return scope.call(name, operation as Record<string, unknown>, options, (done) => done);
}
