// A transport that fails on demand, and counts.

const writes = new Set(["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"]);
const none = () => ({ throttle: 0, conflict: 0, lose: 0, crash: -1, "crash-writes": -1 });

export class Faulty {
  #left = none();
  requests = 0;
  largest = 0;

  constructor(inside) { this.inside = inside; }

  set(fault, count) {
    if (fault === "none") this.#left = none();
    else if (fault in this.#left) this.#left[fault] = count;
    else throw new Error(`there is no fault \`${fault}\``);
  }

  /** The requests since the last time this was asked. */
  takeRequests() {
    const { requests } = this;
    this.requests = 0;
    return requests;
  }

  async send(operation, input, options) {
    this.requests += 1;
    const actions = input.TransactItems && operation === "TransactWriteItems" ? input.TransactItems.length : 0;
    this.largest = Math.max(this.largest, actions);
    const isWrite = writes.has(operation);
    if (this.#hasEnded("crash") || (isWrite && this.#hasEnded("crash-writes"))) {
      this.#left.crash = 0;
      return { status: 400, error: { __type: "AccessDeniedException", Message: "the process is gone" } };
    }
    if (this.#take("throttle")) {
      return { status: 400, error: { __type: "ThrottlingException", message: "Rate exceeded" } };
    }
    if (actions > 0 && this.#take("conflict")) {
      const reasons = Array.from({ length: actions - 1 }, () => ({ Code: "None" }));
      reasons.push({ Code: "TransactionConflict", Message: "Transaction is ongoing for the item" });
      return { status: 400, error: { __type: "TransactionCanceledException", Message: "", CancellationReasons: reasons } };
    }
    const answer = await this.inside.send(operation, input, options);
    if (isWrite && "ok" in answer && this.#take("lose")) return { lost: "the connection was closed before the answer" };
    return answer;
  }

  /** Whether a count that began has come to its end. */
  #hasEnded(fault) {
    if (this.#left[fault] < 0) return false;
    this.#left[fault] -= 1;
    return this.#left[fault] < 0;
  }

  #take(fault) {
    if (this.#left[fault] <= 0) return false;
    this.#left[fault] -= 1;
    return true;
  }
}
