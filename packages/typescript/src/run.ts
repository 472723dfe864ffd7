// One call from start to end. The core decides what is sent, when and how often; this does it.
import type { Answer, Core, Errand, Reply } from "./core.js";
import { AbortedError, CoreError, makeError } from "./errors.js";
import type { Bcrypt, Transport } from "./types.js";
import { decodeMarks } from "./values.js";

/** What a call is made with. */
export interface Running {
  /** An instance with the store open, and the store's handle in it. */
  enter(): Promise<{ core: Core; store: number }>;
  transport(): Transport | Promise<Transport>;
  signal: AbortSignal | undefined;
  /** Whether it answers with requests, and not with values of the model. */
  isRaw?: boolean | undefined;
  /** Hashes by bcrypt. Without it the core does. */
  bcrypt?: Bcrypt | undefined;
  /** Hears of every request that was sent. */
  sent?: ((operation: string, started: number, answer: Answer) => void) | undefined;
}

export async function run(running: Running, body: object): Promise<unknown> {
  const { signal } = running;
  if (signal?.aborted) throw new AbortedError(signal.reason, false);
  const transport = await running.transport();
  const { core, store } = await running.enter();    // a new instance if the last one has ended
  let reply = core.start({ store, ...body });
  const handle = reply.handle;
  const arrived: Answer[] = [];
  let wake = () => {};
  let wrote = false;
  const stop = () => wake();
  signal?.addEventListener("abort", stop);
  try {
    for (;;) {
      if (reply.failed) throw makeError(reply.failed);
      if ("done" in reply) return finish(reply, running.isRaw);
      for (const errand of reply.do ?? []) {
        const sending = () => { wrote ||= errand.write === true; };
        const carried = carryOut(running, transport, errand, sending);
        carried.then((answer) => { arrived.push(answer); wake(); }, () => wake());
      }
      while (arrived.length === 0) {
        if (signal?.aborted) throw new AbortedError(signal.reason, wrote);
        await new Promise<void>((resolve) => { wake = resolve; });
      }
      reply = core.step(handle!, arrived.splice(0)); // whatever has come so far: nobody waits for the slowest
    }
  } catch (error) {
    if (handle !== undefined) core.close(handle);   // what is still under way is answered into nothing
    throw error instanceof CoreError ? Object.assign(error, { unsure: wrote }) : error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Requests are as DynamoDB has them: what looks like a mark there is a name in somebody's map. */
function finish({ done, marked }: Reply, isRaw: boolean | undefined): unknown {
  if (!marked || isRaw) return done;
  return isPage(done) ? { ...decodeMarks({ ...done, unknown: [] }), unknown: done.unknown } : decodeMarks(done);
}

/** Whether it is the rows of a pattern. Items that the model does not know are as DynamoDB has them. */
function isPage(done: unknown): done is { unknown: unknown[] } {
  const page = done as { $entity?: unknown; rows?: unknown; unknown?: unknown } | null;
  return typeof page === "object" && page !== null && page.$entity === undefined && Array.isArray(page.rows) && Array.isArray(page.unknown);
}

/** Does one errand. It fails only if the signal ended it: whatever else happens is an answer. */
async function carryOut(running: Running, transport: Transport, errand: Errand, sending: () => void): Promise<Answer> {
  const { id, after, send, input, hash } = errand;
  const { signal } = running;
  if (hash) return { id, hash: await makeHash(running.bcrypt, hash) };
  if (after) await sleep(after, signal);
  if (!send) return { id };
  signal?.throwIfAborted();
  const started = performance.now();
  let answer: Answer;
  try {
    sending();
    answer = { id, ...(await transport.send(send, input!, { signal })) };
  } catch (error) {
    signal?.throwIfAborted();
    answer = { id, lost: String(error) };
  }
  running.sent?.(send, started, answer);
  return answer;
}

/** What the program's own bcrypt makes of a text. Null, also of what is no text: then the core hashes. */
async function makeHash(bcrypt: Bcrypt | undefined, { text, salt }: { text: string; salt: string }): Promise<string | null> {
  try {
    const made: unknown = await bcrypt?.(text, salt);
    return typeof made === "string" ? made : null;
  } catch {
    return null;
  }
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined) => new Promise<void>((resolve, reject) => {
  const ended = () => { clearTimeout(timer); reject(signal!.reason); };
  const timer = setTimeout(() => { signal?.removeEventListener("abort", ended); resolve(); }, milliseconds);
  signal?.addEventListener("abort", ended, { once: true });
});
