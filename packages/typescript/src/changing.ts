import type { Add, Append, Numeric } from "./types.js";
import { Addition, Appendix } from "./values.js";

/** In a change: a number that is added to the attribute's. */
export const add = (amount: Numeric): Add => new Addition(amount) as unknown as Add;
/** In a change: values for the end of the attribute's list. */
export const append = <T>(...values: T[]): Append<T> => new Appendix(values) as unknown as Append<T>;
