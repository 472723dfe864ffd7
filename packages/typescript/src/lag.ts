// A DynamoDB whose indexes lag, as Amazon's do: what is not read strongly is read from an older state.
import type { Core } from "./core.js";

const tables = new Set(["CreateTable", "UpdateTable", "DeleteTable", "UpdateTimeToLive"]);
const reads = new Set(["GetItem", "Query", "Scan", "BatchGetItem"]);
export const writes = new Set(["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"]);

/**
 * Two engines: one has every write at once, the other gets them later, in the same order. It lags by one read at most: a write
 * that one read has missed, the next one sees. How much of the rest a read sees is chance.
 */
export class Lagging {
  private pending: { operation: string; input: object }[] = [];
  /** How many of them a read has missed already. */
  private due = 0;

  constructor(private readonly fresh: Core, private readonly old: Core, private readonly random: (into: Uint8Array) => void) {}

  request(operation: string, input: object): any {
    if (writes.has(operation)) {
      const answer = this.fresh.request(operation, input);
      if ("ok" in answer) this.pending.push({ operation, input });
      return answer;
    }
    if (tables.has(operation)) {
      this.catchUp(this.pending.length);
      this.old.request(operation, input);
    } else if (reads.has(operation) && !isStrong(operation, input)) {
      this.catchUp(this.due + this.draw(this.pending.length - this.due));
      this.due = this.pending.length;
      return this.old.request(operation, input);
    }
    return this.fresh.request(operation, input);
  }

  snapshot(): Uint8Array {
    return this.fresh.snapshot();
  }

  /** Both engines are instances of one module, so the memory of one is a state of the other. */
  restore(snapshot: Uint8Array): void {
    this.pending = [];
    this.due = 0;
    this.old.restore(snapshot);
    this.fresh.restore(snapshot);
  }

  get size(): number {
    return this.fresh.size;
  }

  private catchUp(count: number): void {
    for (const { operation, input } of this.pending.splice(0, count)) this.old.request(operation, input);
    this.due = Math.min(this.due, this.pending.length);
  }

  /** A number up to `most`. */
  private draw(most: number): number {
    const bytes = new Uint8Array(2);
    this.random(bytes);
    return (bytes[0]! * 256 + bytes[1]!) % (most + 1);
  }
}

function isStrong(operation: string, input: object): boolean {
  const { ConsistentRead, RequestItems } = input as { ConsistentRead?: boolean; RequestItems?: Record<string, { ConsistentRead?: boolean }> };
  if (operation !== "BatchGetItem") return ConsistentRead === true;
  return Object.values(RequestItems ?? {}).every((table) => table.ConsistentRead === true);
}
