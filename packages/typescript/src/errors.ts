// One class for each kind of error. A bundle may hold this package twice, as ESM and as CommonJS, so `instanceof` goes by a
// registered symbol and the kind.
import type { Clash, ErrorKind, Problem, ServiceError } from "./types.js";

const brand = Symbol.for("monotable.error");

/** What the core tells of an error. */
export interface Failed {
  kind: ErrorKind;
  message: string;
  unsure?: boolean;
  entity?: string;
  declaration?: string;
  problems?: Problem[];
  key?: string;
  deleting?: boolean;
  clash?: Clash;
  action?: string;
  service?: ServiceError;
  hint?: string;
  unaudited?: Failed;
}

export class MonotableError extends Error {
  readonly kind: ErrorKind;
  declare readonly entity?: string;
  /** What refused, as a path into the model: `entity.User.unique.Email`. */
  declare readonly declaration?: string;
  /** The call may have been carried out, in whole or in part. */
  readonly unsure: boolean;
  /** Why an audit could not note this refusal. */
  declare readonly unaudited?: MonotableError;

  constructor(failed: Failed, options?: { cause?: unknown }) {
    super(failed.message, options);
    this.name = `${failed.kind}Error`;
    this.kind = failed.kind;
    this.unsure = failed.unsure ?? false;
    if (failed.entity !== undefined) this.entity = failed.entity;
    if (failed.declaration !== undefined) this.declaration = failed.declaration;
    if (failed.unaudited !== undefined) this.unaudited = makeError(failed.unaudited);
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== "object" || value === null || !(brand in value)) return false;
    if (this === MonotableError) return true;
    const kind = kinds.get(this);                   // none: a class of the program's own
    return kind ? (value as { kind?: unknown }).kind === kind : Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** Values are not what the model says: everything that is wrong, at once. */
export class ValidationError extends MonotableError {
  readonly problems: Problem[];
  constructor(failed: Failed) {
    super(failed);
    this.problems = failed.problems ?? [];
  }
}
export class ImmutableError extends MonotableError {
  readonly problems: Problem[];
  constructor(failed: Failed) {
    super(failed);
    this.problems = failed.problems ?? [];
  }
}
export class NotFoundError extends MonotableError {
  readonly key: string;
  readonly deleting: boolean;
  constructor(failed: Failed) {
    super(failed);
    this.key = failed.key ?? "";
    this.deleting = failed.deleting ?? false;
  }
}
export class ConflictError extends MonotableError {
  readonly clash: Clash;
  constructor(failed: Failed) {
    super(failed);
    this.clash = failed.clash ?? { is: "contended" };
  }
}
export class ForbiddenError extends MonotableError {
  readonly action: string;
  constructor(failed: Failed) {
    super(failed);
    this.action = failed.action ?? "";
  }
}
export class IntegrityError extends MonotableError {}
/** The service could not do it now; the core has tried as often as it may. */
export class RetryableError extends MonotableError {
  readonly service: ServiceError;
  constructor(failed: Failed) {
    super(failed);
    this.service = failed.service ?? { name: "", message: failed.message };
  }
}
export class FatalError extends MonotableError {
  readonly service: ServiceError;
  declare readonly hint?: string;
  constructor(failed: Failed) {
    super(failed);
    this.service = failed.service ?? { name: "", message: failed.message };
    if (failed.hint !== undefined) this.hint = failed.hint;
  }
}
export class UsageError extends MonotableError {}
/** The caller's signal ended it. `name` is `AbortError`, `cause` the signal's reason. */
export class AbortedError extends MonotableError {
  constructor(reason: unknown, unsure: boolean) {
    super({ kind: "Aborted", message: "the call was aborted", unsure }, { cause: reason });
    this.name = "AbortError";
  }
}
/** A bug of ours: the core trapped. Later calls have a new core. */
export class CoreError extends MonotableError {
  constructor(message: string, options?: { cause?: unknown; unsure?: boolean }) {
    super({ kind: "Core", message, unsure: options?.unsure ?? false }, options);
  }
}

const classes = {
  Validation: ValidationError, Immutable: ImmutableError, NotFound: NotFoundError, Conflict: ConflictError,
  Forbidden: ForbiddenError, Integrity: IntegrityError, Retryable: RetryableError, Fatal: FatalError, Usage: UsageError,
};
const kinds = new Map<unknown, ErrorKind>([
  ...Object.entries(classes).map(([kind, type]) => [type, kind as ErrorKind] as const),
  [AbortedError, "Aborted"], [CoreError, "Core"],
]);

/** The error that the core tells. */
export function makeError(failed: Failed): MonotableError {
  const type = classes[failed.kind as keyof typeof classes];
  return type ? new type(failed) : new MonotableError(failed);
}

export const usageError = (message: string): UsageError => new UsageError({ kind: "Usage", message });
