// One instance of the wasm module, and text in and out of its memory.
import { CoreError } from "./errors.js";
import type { Failed } from "./errors.js";
import { hasMarks } from "./values.js";

/** The version of the module's exports that this runtime knows. */
export const abi = 1;

export interface Exports {
  memory: WebAssembly.Memory;
  abi(): number;
  alloc(length: number): number;
  free(parcel: number): void;
  open(parcel: number): number;
  start(parcel: number): number;
  step(handle: number, parcel: number): number;
  close(handle: number): void;
  call(parcel: number): number;
  panic: WebAssembly.Global;
}

/** Milliseconds since 1970, and bytes that nobody can guess. */
export interface Host {
  clock(): number;
  random(into: Uint8Array): void;
}

/** Something that the core wants done: a request, a pause, a request after a pause, or a text hashed by bcrypt. */
export interface Errand {
  id: number;
  after?: number;
  send?: string;
  input?: object;
  write?: boolean;
  /** A text, and what bcrypt hashes it with: version, cost and salt. */
  hash?: { text: string; salt: string };
}
export interface Answer { id: number; [what: string]: unknown }
export interface Reply {
  handle?: number;
  do?: Errand[];
  done?: unknown;
  failed?: Failed;
  broken?: string;
  model?: string;
  hash?: string;
  tables?: string[];
  /** Whether something in it is marked. */
  marked?: boolean;
}

const [text, bytes] = [new TextDecoder(), new TextEncoder()];

export class Core {
  ended = false;
  private constructor(private readonly wasm: Exports) {}

  static async create(module: WebAssembly.Module, host: Host): Promise<Core> {
    let wasm: Exports;
    const monotable = {
      now: () => host.clock() * 1000,               // microseconds, as a double: exact until the year 2255
      random: (at: number, length: number) => host.random(new Uint8Array(wasm.memory.buffer, at, length)),
    };
    wasm = (await WebAssembly.instantiate(module, { monotable })).exports as unknown as Exports;
    if (wasm.abi() !== abi) throw new CoreError(`the core speaks version ${wasm.abi()}, and this runtime ${abi}: install both anew`);
    return new Core(wasm);
  }

  open = (body: unknown): Reply => this.call(body, (parcel) => this.wasm.open(parcel));
  start = (body: unknown): Reply => this.call(body, (parcel) => this.wasm.start(parcel));
  step = (handle: number, answers: Answer[]): Reply => this.call(answers, (parcel) => this.wasm.step(handle, parcel));
  /** A request of DynamoDB to the module that has the engine. */
  request = (operation: string, input: object): any => this.call({ operation, input }, (parcel) => this.wasm.call(parcel));

  close(handle: number): void {
    if (!this.ended) this.wasm.close(handle);
  }

  /** How much memory it has. It never shrinks. */
  get size(): number {
    return this.wasm.memory.buffer.byteLength;
  }

  /** A copy of everything that the instance has, between two calls. */
  snapshot(): Uint8Array {
    return new Uint8Array(this.wasm.memory.buffer).slice();
  }

  /** Goes back to a copy, which may be that of another instance of the module. */
  restore(snapshot: Uint8Array): void {
    const missing = snapshot.length - this.size;
    if (missing > 0) this.wasm.memory.grow(Math.ceil(missing / 65_536));
    const memory = new Uint8Array(this.wasm.memory.buffer);
    memory.set(snapshot);
    memory.fill(0, snapshot.length);
  }

  private call(body: unknown, enter: (parcel: number) => number): Reply {
    if (this.ended) throw new CoreError("the core ended in another call");
    const given = bytes.encode(JSON.stringify(body));
    let reply: Reply;
    try {
      const parcel = this.wasm.alloc(given.length); // may grow the memory: views are made after it, and anew each time
      new Uint8Array(this.wasm.memory.buffer, parcel + 4, given.length).set(given);
      const answer = enter(parcel);                 // the core frees what it was given
      const said = this.read(answer);
      this.wasm.free(answer);
      reply = JSON.parse(said) as Reply;
      reply.marked = hasMarks(said);
    } catch (error) {                               // a trap: nothing in this instance can be trusted any more
      this.ended = true;
      throw new CoreError(this.read(this.wasm.panic.value) || String(error), { cause: error });
    }
    // Only this call was broken: the core has refused it, and the others go on.
    if (reply.broken !== undefined) throw new CoreError(reply.broken);
    return reply;
  }

  private read(parcel: number): string {
    const { buffer } = this.wasm.memory;
    return text.decode(new Uint8Array(buffer, parcel + 4, new DataView(buffer).getUint32(parcel, true)));
  }
}
