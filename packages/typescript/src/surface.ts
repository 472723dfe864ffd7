// What every entry of the package has.
export type * from "./types.js";
export { add, append } from "./changing.js";
export {
  AbortedError, ConflictError, CoreError, FatalError, ForbiddenError, ImmutableError, IntegrityError, MonotableError, NotFoundError,
  RetryableError, UsageError, ValidationError,
} from "./errors.js";
export { childrenOf, roots } from "./repository.js";
export { Exact } from "./values.js";
