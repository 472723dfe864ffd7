// A model that is open: the instance of the core, the transport, and how calls are made.
import { Core } from "./core.js";
import type { Answer, Reply } from "./core.js";
import { MonotableError, makeError, usageError } from "./errors.js";
import type { MemoryOptions, MemoryTransport } from "./memory.js";
import { compileGiven, findRandom, seeded } from "./platform.js";
import type { Platform } from "./platform.js";
import { run } from "./run.js";
import type { AwsClient, Hooks, OpenOptions, Transport } from "./types.js";
import { encodeExpected, encodeItem } from "./values.js";

type Options = OpenOptions<string, object>;

/** In whose name, and from where, calls are made. Principal and program are as the core has them. */
export interface State {
  principal?: object;
  program?: object;
  tenant?: string;
  ip?: string | undefined;
  source?: string | undefined;
  consistent?: boolean | undefined;
  signal?: AbortSignal | undefined;
  client?: AwsClient | undefined;
}

/** How one call is made. */
export interface Settings {
  expecting?: object;
  token?: string;
  consistent?: boolean;
  mode?: "dryRun" | "explain" | "requests";
}

interface Instance { core: Core; store: number }

/** An idle instance that has grown beyond this is dropped: its memory never shrinks. */
const largest = 64 * 1024 * 1024;

export class Connection {
  readonly ready: Promise<void>;
  private instance: Promise<Instance> | undefined;
  private opened: Reply | undefined;
  private running = 0;
  private readonly transports = new WeakMap<AwsClient, Transport>();
  private made: Promise<Transport> | undefined;
  private given: Promise<WebAssembly.Module> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly text: string,
    private readonly bigint: readonly string[],
    readonly options: Options,
  ) {
    // A client that is null is none: it must not become an engine in memory, which forgets everything.
    const given = [options.client, options.memory, options.transport].filter(Boolean);
    if (given.length !== 1) throw usageError("open takes exactly one of `client`, `memory` and `transport`");
    if (options.client && !platform.aws) {
      throw usageError("`monotable/bare` has no AWS SDK: import from `monotable`, or give a `transport`");
    }
    this.ready = this.prepare();
    this.ready.catch(() => {});                     // whoever waits for it is told; nobody has to
  }

  /** The model's name and hash; known once it is open. */
  get model(): { readonly name: string; readonly hash: string } {
    if (!this.opened) throw usageError("the model is not open yet: await `ready` first");
    return { name: this.opened.model!, hash: this.opened.hash! };
  }

  /** Makes a call. */
  async call(name: string, operation: object, settings: Settings, state: State, signal = state.signal): Promise<unknown> {
    const { hooks } = this.options;
    const body = { operation, options: encodeSettings(settings), context: encodeState(state) };
    const [started, counts] = [performance.now(), { requests: 0, attempts: 0 }];
    this.running += 1;
    let failed: unknown;
    try {
      return await run({
        enter: () => this.enter(),
        transport: () => this.transport(state.client),
        signal,
        isRaw: settings.mode === "requests" || settings.mode === "explain",
        bcrypt: this.options.bcrypt,
        sent: (sent, since, answer) => {
          counts.attempts += 1;
          if ("ok" in answer) counts.requests += 1;
          if (hooks?.request) tellRequest(hooks, name, sent, counts.attempts, since, answer);
        },
      }, body);
    } catch (error) {
      failed = error;
      throw error;
    } finally {
      this.running -= 1;
      if (hooks?.call) tellCall(hooks, name, started, counts, failed);
      await this.dropLarge();
    }
  }

  /** The transport of `open`, or one over another client. */
  transport(client?: AwsClient): Promise<Transport> | Transport {
    if (!client) return (this.made ??= this.makeTransport());
    if (!this.platform.aws) throw usageError("`monotable/bare` has no AWS SDK: import from `monotable`");
    const known = this.transports.get(client) ?? this.platform.aws(client);
    this.transports.set(client, known);
    return known;
  }

  /** An instance of the core with the model open; a new one if the last one has ended. */
  private async enter(): Promise<Instance> {
    const known = this.instance && (await this.instance.catch(() => undefined));
    if (known && !known.core.ended) return known;
    this.instance = this.open();
    return this.instance;
  }

  private async open(): Promise<Instance> {
    const { options } = this;
    const module = await this.module();
    const memory = typeof options.memory === "object" ? options.memory : {};
    const random = options.random ?? (memory.seed === undefined ? await findRandom() : seeded(memory.seed));
    const core = await Core.create(module, { clock: options.clock ?? Date.now, random });
    const { tables } = options;
    let names: Record<string, string | undefined> | undefined;
    if (typeof tables === "function") {
      const learned = this.openIn(core, {});
      core.close(learned.handle!);
      names = Object.fromEntries(learned.tables!.map((name) => [name, tables(name)]));
    } else {
      names = tables;
    }
    this.opened = this.openIn(core, names ?? {});
    return { core, store: this.opened.handle! };
  }

  private async module(): Promise<WebAssembly.Module> {
    const { module, memory } = this.options;
    if (module) return (this.given ??= compileGiven(module));
    return memory ? (await loadMemory()).wholeCore() : this.platform.core();
  }

  private openIn(core: Core, tables: object): Reply {
    const { settings, cursorKey, retry } = this.options;
    const { text: model, bigint } = this;
    const reply = core.open({ model, tables, settings: encodeItem(settings ?? {}), cursorKey, retry, bigint });
    if (reply.failed) throw makeError(reply.failed);
    return reply;
  }

  private async prepare(): Promise<void> {
    await this.enter();
    if (this.options.memory) await this.transport();
  }

  private async makeTransport(): Promise<Transport> {
    const { client, memory, transport } = this.options;
    if (transport) return transport;
    if (client) return this.platform.aws!(client);
    const made = await openMemory(this.options, typeof memory === "object" ? memory : {});
    // The tables of the model are made before anything else is asked.
    await run({ enter: () => this.enter(), transport: () => made, signal: undefined }, { operation: { setup: {} } });
    return made;
  }

  private async dropLarge(): Promise<void> {
    if (this.running > 0 || !this.instance) return;
    const known = await this.instance.catch(() => undefined);
    if (this.running === 0 && known && known.core.size > largest) this.instance = undefined;
  }
}

/** The engine in memory is a module of its own, which bundlers of programs need not find. */
async function loadMemory(): Promise<typeof import("./memory.js")> {
  const name = "monotable/memory";
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}

async function openMemory(options: Options, { seed, lag }: MemoryOptions): Promise<MemoryTransport> {
  const { createMemory } = await loadMemory();
  return createMemory({ clock: options.clock, random: options.random, seed, lag });
}

function encodeSettings(settings: Settings): object {
  const { expecting, ...others } = settings;
  return expecting ? { ...others, expecting: encodeExpected(expecting) } : others;
}

function encodeState(state: State): object {
  const { principal, program, tenant, ip, source, consistent } = state;
  return { principal, program, tenant, ip, source, consistent };
}

/** Whether two calls are made in the same name, of the same tenant and with the same client. */
export function isSameContext(one: State, other: State): boolean {
  const [known, given] = [one, other].map(({ principal, program, tenant }) => JSON.stringify([principal, program, tenant]));
  return known === given && one.client === other.client;
}

function tellRequest(hooks: Hooks, call: string, operation: string, attempt: number, since: number, answer: Answer): void {
  const error = answer.error as { __type?: string } | undefined;
  const failed = error?.__type?.split("#").pop() ?? ("lost" in answer ? "lost" : "unsent" in answer ? "unsent" : undefined);
  const event = { call, operation, attempt, ms: performance.now() - since, ...(failed ? { failed } : {}) };
  ignoreErrors(() => hooks.request!(event));
}

function tellCall(hooks: Hooks, name: string, started: number, counts: { requests: number; attempts: number }, failed: unknown): void {
  const error = failed instanceof MonotableError ? { error: failed } : {};
  ignoreErrors(() => hooks.call!({ name, ms: performance.now() - started, ...counts, ...error }));
}

/** What a hook throws is ignored. */
function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    // It only listens.
  }
}
