// Calls that are made when they are awaited, once.
import { isSameContext } from "./connection.js";
import type { Connection, Settings, State } from "./connection.js";
import { makeError, usageError } from "./errors.js";
import type { Failed } from "./errors.js";
import type { Call, Explanation, Item, Listing, Page, PlannedRequest } from "./types.js";
import { fromWire } from "./wire.js";

/** What a call asks, and how its answer is read. */
export interface Asked<T> {
  name: string;
  operation: Record<string, unknown>;
  settings: Settings;
  state: State;
  signal?: AbortSignal | undefined;
  /** A value for the answer of the core. */
  read(done: any): T;
  /** A value in the place of an error, or the error again. */
  recover?(error: unknown): T;
}

/** A call that was not made yet: `await` makes it, once. */
export class LazyCall<T> implements Call<T> {
  readonly [Symbol.toStringTag] = "Call";
  private made: Promise<T> | undefined;

  constructor(readonly connection: Connection, readonly asked: Asked<T>) {}

  get isMade(): boolean {
    return this.made !== undefined;
  }

  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null, rejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.made ??= this.make()).then(fulfilled, rejected);
  }
  catch<B = never>(rejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, rejected);
  }
  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled);
  }

  dryRun(): Promise<T> {
    return this.make("dryRun");
  }
  async explain(): Promise<Explanation> {
    return readExplanation(await this.ask("explain"));
  }
  async requests(): Promise<PlannedRequest[]> {
    const planned = (await this.ask("requests")) as PlannedRequest[];
    return planned.map(({ operation, input }) => ({ operation, input: fromWire(input) }));
  }

  private async make(mode?: Settings["mode"]): Promise<T> {
    const { asked } = this;
    let done: unknown;
    try {
      done = await this.ask(mode);
    } catch (error) {
      if (asked.recover) return asked.recover(error);
      throw error;
    }
    return asked.read(done);
  }

  private ask(mode?: Settings["mode"]): Promise<unknown> {
    const { name, operation, settings, state, signal } = this.asked;
    const all = mode ? { ...settings, mode } : settings;
    return this.connection.call(name, operation, all, state, signal ?? state.signal);
  }
}

/** A number of rows. NaN would become null in JSON, and ask for any number. */
export function checkCount(count: unknown, name: string, least: number): void {
  if (!Number.isSafeInteger(count) || (count as number) < least) {
    throw usageError(`\`${name}\` is ${String(count)}, and must be a whole number from ${least}`);
  }
}

/** Whether an order is against that of the sort key. */
export function isDescending(order: string): boolean {
  if (order !== "asc" && order !== "desc") throw usageError(`\`order\` is ${String(order)}, and must be "asc" or "desc"`);
  return order === "desc";
}

function readExplanation(told: any): Explanation {
  const { text, error, ...explanation } = told as { text: string; error?: Failed };
  return Object.defineProperty(
    { ...explanation, ...(error ? { error: makeError(error) } : {}) } as Explanation,
    "toString", { value: () => text, enumerable: false },
  );
}

/** A call that becomes a part of another one. The whole is made in one name, so a part of another name would be made in the wrong one. */
export function takePart(scope: { connection: Connection; state: State }, whole: string, part: unknown): LazyCall<unknown> {
  if (!(part instanceof LazyCall)) throw usageError(`${whole} takes calls that were not awaited`);
  if (part.connection !== scope.connection) throw usageError(`${whole} takes calls of this client, and one is of another`);
  if (!isSameContext(part.asked.state, scope.state)) {
    throw usageError(`${whole} takes calls of its own caller, tenant and AWS client, and one is of another`);
  }
  if (part.isMade) throw usageError(`${whole} takes calls that were not awaited, and one was made already`);
  if (part.asked.settings.token !== undefined) throw usageError(`${whole} has one token: give it the token of its calls`);
  return part as LazyCall<unknown>;
}

/** The rows of an access pattern: `await` reads one page, `for await` all rows, page by page. */
export class LazyListing<Row> extends LazyCall<Page<Row>> implements Listing<Row> {
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.rows;
  }

  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    let page: Page<Row> = await this.then();
    yield page;
    while (page.cursor !== undefined) {
      page = await this.from({ after: page.cursor }).then();
      yield page;
    }
  }

  first(): Call<Row | undefined> {
    return new FirstRow(new LazyListing(this.connection, { ...this.asked, operation: { ...this.asked.operation, limit: 1 } }));
  }

  all({ max }: { max: number }): Call<Row[]> {
    return new AllRows(this, max);
  }

  private from(place: { after: string }): LazyListing<Row> {
    return new LazyListing(this.connection, { ...this.asked, operation: { ...this.asked.operation, ...place } });
  }
}

/** Rows that are collected from the pages of a listing. */
abstract class Collection<T, Row> extends LazyCall<T> {
  private collected: Promise<T> | undefined;
  constructor(protected readonly listing: LazyListing<Row>) {
    super(listing.connection, listing.asked as Asked<any>);
  }
  protected abstract collect(): Promise<T>;
  /** It only reads. */
  override dryRun(): Promise<T> {
    return this.collect();
  }
  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null, rejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.collected ??= this.collect()).then(fulfilled, rejected);
  }
}

/** The first row. A page may be empty and not the last one: rows that the caller may not see were read. */
class FirstRow<Row> extends Collection<Row | undefined, Row> {
  protected async collect(): Promise<Row | undefined> {
    for await (const row of this.listing) return row;
    return undefined;
  }
}

class AllRows<Row> extends Collection<Row[], Row> {
  constructor(listing: LazyListing<Row>, private readonly max: number) {
    super(listing);
    checkCount(max, "max", 0);
  }
  protected async collect(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this.listing) {
      if (rows.length === this.max) throw usageError(`there are more than ${this.max} rows: read them page by page`);
      rows.push(row);
    }
    return rows;
  }
}

/** A page as the core tells it. */
export interface PageBody {
  rows: any[];
  followed?: any[];
  follows?: { row: number; by: string; to: number; many?: boolean }[];
  dangling: string[];
  hidden: number;
  unknown: object[];
  cursor?: string;
}

/** Rows that came along hang on the rows that name them. */
export function readPage<Row>(body: PageBody, readRow: (row: any) => Row): Page<Row> {
  const rows = body.rows.map(readRow);
  const followed = (body.followed ?? []).map(readRow);
  for (const row of body.follows ? rows : []) Object.assign(row as object, { $followed: {} });
  for (const { row, by, to, many } of body.follows ?? []) {
    const hung = (rows[row] as any).$followed;
    if (many) (hung[by] ??= []).push(followed[to]);
    else hung[by] = followed[to];
  }
  const { dangling, hidden, cursor } = body;
  const unknown = body.unknown.map((item) => fromWire(item) as Item);
  return { rows, dangling, hidden, unknown, ...(cursor === undefined ? {} : { cursor }) };
}
