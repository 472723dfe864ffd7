// What programs see of the runtime: its types. Generated code is written against them.
import type { MonotableError } from "./errors.js";
import type { Exact } from "./values.js";

// ------------------------------------------------------------------ values

/** A time as it is stored: `2025-11-18T12:00:00.000Z`. */
export type Timestamp = string;
/** A day: `2025-11-18`. */
export type DateOnly = string;
/** A number of up to 38 digits, as text. */
export type Decimal = string;
export type Bytes = Uint8Array;
/** A time as callers may give it; the core brings it into the form of the attribute. */
export type Time = Timestamp | Date;
/** A number as callers may give it. A `number` is taken by its shortest text; NaN and Infinity are refused. */
export type Numeric = Decimal | number | bigint;

/** A bcrypt hash in the place of a text that the store would hash: one of another system, or made without blocking. */
// A type and no interface, so that attributes of open entities, which may hold anything, may be one.
export type Hash = { bcrypt: string };

/** What `any`, `map` and attributes that the model does not declare hold. */
export type Value =
  | string | number | bigint | Exact | boolean | null | Uint8Array
  | readonly Value[] | { readonly [name: string]: Value }
  | ReadonlySet<string> | ReadonlySet<number | bigint | Exact> | ReadonlySet<Uint8Array>;

/** Both ends are included, and either may be left out; a value alone stands for both. */
export type Range<T> = T | { from?: T; to?: T };

declare const changing: unique symbol;
export interface Add { readonly [changing]: "add" }
export interface Append<T> { readonly [changing]: "append"; readonly values: readonly T[] }

// What generated code needs of the language, under names that no entity can hide.
export type Some<T> = { [Name in keyof T]?: T[Name] };
export type Only<T, Names extends keyof T> = { [Name in Names]: T[Name] };
export type None = Record<never, never>;

// ------------------------------------------------------------------ calls

/** A call that was not made yet: `await` makes it, once. */
export interface Call<T> extends Promise<T> {
  /** Reads and decides, and writes nothing. */
  dryRun(): Promise<T>;
  /** The requests, with what they cost. Reads are sent, writes are not. */
  explain(): Promise<Explanation>;
  /** The requests alone, as the SDK takes them: to look at, or to send yourself. Reads are sent, writes are not. */
  requests(): Promise<PlannedRequest[]>;
}

declare const writing: unique symbol;
/** A call that `transact` takes. */
export interface Write<T> extends Call<T> { readonly [writing]: true }

/** The rows of an access pattern: `await` reads one page, `for await` all rows, page by page. */
export interface Listing<Row> extends Call<Page<Row>>, AsyncIterable<Row> {
  first(): Call<Row | undefined>;
  pages(): AsyncIterable<Page<Row>>;
  /** All rows, if there are no more than `max`; else a UsageError. */
  all(options: { max: number }): Call<Row[]>;
}

export interface Page<Row> {
  rows: Row[];
  /** Where the next page begins; absent if nothing follows. */
  cursor?: string;
  /** What was referred to and is not there. */
  dangling: string[];
  /** How many rows were read that the caller may not see. */
  hidden: number;
  /** Items that the model does not know, of patterns whose rows some row owns. */
  unknown: Item[];
}

/** An item as DynamoDB has it. */
export interface Item { [attribute: string]: AttributeValue }
export type AttributeValue =
  | { S: string } | { N: string } | { B: Uint8Array } | { BOOL: boolean } | { NULL: true }
  | { SS: string[] } | { NS: string[] } | { BS: Uint8Array[] } | { L: AttributeValue[] } | { M: Item };

export interface CallOptions { signal?: AbortSignal | undefined }
export interface ReadOptions extends CallOptions { consistent?: boolean | undefined }
/** `token`: the same call said twice within a day happens once. Give the id of a new row, too. */
export interface WriteOptions extends CallOptions { token?: string | undefined }
export interface ChangeOptions<Row> extends WriteOptions { expecting?: Expected<Row> | undefined }
/** What the row must say now, else there is a ConflictError; null for absent. */
export type Expected<Row> = { readonly [Name in keyof Row]?: Row[Name] | null };
/** `limit` is the size of a page, `after` the cursor of the page before, `order` another one than the pattern's. */
export interface ListOptions extends ReadOptions {
  limit?: number | undefined;
  after?: string | undefined;
  order?: "asc" | "desc" | undefined;
}

export interface PlannedRequest { operation: string; input: Record<string, unknown> }
export interface Explanation {
  requests: (PlannedRequest & { round: number; units: { of: string; read: number; write: number }[] })[];
  read: number;
  write: number;
  /** What it would end with, if it would be refused. */
  error?: MonotableError;
  toString(): string;
}

// ------------------------------------------------------------------ clients

/** What needs neither caller nor tenant. */
export interface Streams<Row, Table extends string> {
  /** An item as a row; undefined if it is a guard, or the model does not know it. */
  parse(image: object, options?: { table?: Table }): Promise<Row | undefined>;
  /** What the records of a stream say, in their order; guards and unknown items are left out. */
  changes(event: { Records: readonly StreamRecord[] }): Promise<StreamChange<Row>[]>;
  /** The core is compiled and the model open. Every call waits for it by itself. */
  readonly ready: Promise<void>;
  readonly model: { readonly name: string; readonly hash: string };
}
/** What every client has beside its entities and patterns. */
export interface Client<Self, Row, Table extends string> extends Streams<Row, Table> {
  /** Several writes of this client, all or none; their rows in order. Later ones see earlier ones. */
  transact<const W extends readonly Write<unknown>[]>(
    writes: W, options?: WriteOptions): Call<{ -readonly [N in keyof W]: Awaited<W[N]> }>;
  /** The same client in another context. */
  with(context: Context): Self;
  /** Any operation as data, as lines of a change set have it: for tools. */
  call(operation: object, options?: ChangeOptions<Value>): Call<unknown>;
}
export interface Context extends ReadOptions {
  /** For audits: where calls come from. */
  ip?: string | undefined;
  source?: string | undefined;
  /** Another AWS client, for example with a caller's own credentials. */
  client?: AwsClient | undefined;
}

export interface StreamRecord {
  eventID?: string;
  eventName?: string;
  eventSourceARN?: string;
  userIdentity?: unknown;
  dynamodb?: { NewImage?: object; OldImage?: object; SequenceNumber?: string };
}
export interface StreamChange<Row> {
  /** `expire` is a delete by the table's TTL. */
  is: "create" | "update" | "delete" | "expire";
  before?: Row;
  after?: Row;
  /** Whose row it is, in a model with tenants. */
  tenant?: string;
  record: StreamRecord;
}

/** Any client of the AWS SDK for JavaScript v3. */
export interface AwsClient { send(command: any, options?: any): Promise<any> }

/** Exactly one of `client`, `memory` and `transport`. */
export interface OpenOptions<Table extends string, Settings> {
  client?: AwsClient | undefined;
  /** A DynamoDB in this process, with the tables of the model, for tests. `seed`: ids repeat from run to run.
   * `lag`: reads that are not strong may miss what was just written. */
  memory?: true | { seed?: number; lag?: boolean } | undefined;
  transport?: Transport | undefined;
  /** Names in DynamoDB, where they are not the model's. */
  tables?: { readonly [Name in Table]?: string | undefined } | ((table: Table) => string) | undefined;
  settings?: Settings | undefined;
  /** 32 characters or more: what cursors are sealed with. Without it they are sealed with a secret that the store keeps itself. */
  cursorKey?: string | undefined;
  retry?: { attempts?: number; base?: number; cap?: number } | undefined;
  hooks?: Hooks | undefined;
  /** `hash` of npm's `bcrypt` or `bcryptjs`. Without it the core hashes secrets, which blocks its thread. */
  bcrypt?: Bcrypt | undefined;
  /** Milliseconds since 1970, and bytes that nobody can guess: for tests. */
  clock?: (() => number) | undefined;
  random?: ((into: Uint8Array) => void) | undefined;
  /** The core as a `WebAssembly.Module`, where the platform does not compile at run time; or its bytes. */
  module?: object | undefined;
}

/** Hashes a text with a salt such as `$2b$10$...`. What is not a hash of this salt is not taken: the core hashes then. */
export type Bcrypt = (text: string, salt: string) => Promise<string>;

/** Sends a request once. It throws only if the signal ended it. */
export interface Transport {
  send(operation: string, input: object, options: CallOptions): Promise<Answered>;
}
export type Answered =
  | { ok: object }                          // DynamoDB's answer
  | { error: object; status: number }       // DynamoDB's error, with `__type`
  | { lost: string }                        // sent, and no answer came: it may have been carried out
  | { unsent: string }                      // it never left
  | { again: true };                        // what was wrong has been put right: at once again

/** Names, counts and times; never values. `attempts` were sent, `requests` were carried out. What a hook throws is ignored. */
export interface Hooks {
  call?(event: { name: string; ms: number; requests: number; attempts: number; error?: MonotableError }): void;
  request?(event: { call: string; operation: string; attempt: number; ms: number; failed?: string }): void;
}

// ------------------------------------------------------------------ repositories

/** A revision by its id, or the last one up to a time. */
export type At = { revision: string } | { time: Time };
/** `first`: there is none yet. `is`: else a conflict. `rebase`: else on what is there, unless the same rows have changed. */
export type Parent = { first: true } | { is: string } | { rebase: string };

export interface View<Row> {
  /** `buried`: also rows with a tombstone. */
  show(options?: CallOptions & { buried?: boolean }): Call<Snapshot<Row>>;
  /** What relations lead to from the row with this id, in order. */
  children(id: string): Call<Snapshot<Row>>;
  diff(to: At): Call<Differences<Row>>;
}
/** A repository, read at its head. */
export interface Repository<Row, Revision, Says, Head> extends View<Row> {
  at(at: At): View<Row>;
  log(options?: ListOptions): Listing<Revision>;
  rollback(to: string, options?: CallOptions & { from?: string }): Call<Head>;
  revert(to: At, says: Says, options?: CallOptions & { parent?: Parent }): Call<Committed<Revision>>;
  sweep(options: { olderThanSeconds: number }): Call<{ intents: number; rows: number; left: number }>;
}
/** Changes of one entity in a commit: noted here, made when the commit is awaited. */
export interface Changes<New, Id, Change> {
  create(values: New): void;
  put(values: New): void;
  update(id: Id, change: Change): void;
  delete(id: Id): void;
}
export interface Committed<Revision> { revisions: Revision[]; warnings: string[] }
export interface Snapshot<Row> {
  revision: string;
  rows: Row[];
  /** Positions in `rows`. */
  links: { by: number; from: number; to: number }[];
}
export interface Differences<Row> {
  from: string;
  to: string;
  rows: (
    | { is: "added" | "removed"; row: Row }
    | { is: "moved"; before: Row; row: Row }
    | { is: "changed"; before: Row; row: Row; attributes: string[] }
  )[];
}

/** What a purge has deleted; of a dry run, what it would delete. */
export interface Purged {
  owner: { readonly [attribute: string]: Value };
  /** In the order in which they were deleted. */
  partitions: PurgedPartition[];
}
export interface PurgedPartition {
  table: string;
  partition: string;
  /** The revision whose snapshot it is. */
  revision?: string;
  items: number;
  /** `own`: the model gives it to the owner. `rendered`: rows of the owner lead there. `scanned`: no row does. */
  reason: "own" | "rendered" | "scanned";
}

/** Changes of one or more entities of a repository: noted first, made when it is awaited, alone or by `commitAll`. */
export interface Commit<Revision> extends Call<Committed<Revision>> { readonly [committing]: true }
declare const committing: unique symbol;
export interface CommitOptions extends WriteOptions { parent?: Parent | undefined }

// ------------------------------------------------------------------ errors

export type ErrorKind =
  | "Validation" | "Immutable" | "NotFound" | "Conflict" | "Forbidden" | "Integrity"
  | "Retryable" | "Fatal" | "Usage" | "Aborted" | "Core";
export interface Problem {
  attribute: string;
  is: "unknown" | "set by the store" | "immutable" | "missing" | "forbidden" | "wrong" | "rule" | "key";
  /** What it must be, the name of the rule, or why a key is refused. */
  detail?: string;
  /** The row, where one call gives several. */
  row?: string;
  message: string;
}
export type Clash =
  | { is: "key"; key: string }
  | { is: "unique"; claim: string }
  | { is: "expected"; attribute: string }
  | { is: "mirrored" | "cycle" | "contended" | "token" | "left behind" }
  | { is: "too deep"; depth: number }
  | { is: "in use"; by: string; attribute: string }
  | { is: "moving"; move: string }
  | { is: "head"; head?: string }
  | { is: "rebase"; rows: string[] };
export interface ServiceError { name: string; message: string }
