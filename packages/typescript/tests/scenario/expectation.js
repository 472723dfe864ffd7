// What a script expects of an answer: {value}, {page} or {error: {kind, message}}.
import { isDeepStrictEqual } from "node:util";

/** What `-> name` keeps. */
export function kept({ value, page, error }) {
  return error ? `${error.kind} ${error.message}` : (page ?? value ?? null);
}

const main = (answer) => (answer.page ? (answer.page.rows ?? null) : kept(answer));

/** The first difference, or undefined. */
export function check(answer, expected, variables) {
  if (answer.error && !expected.some((line) => line.startsWith("! "))) {
    return `failed: ${answer.error.kind}: ${answer.error.message}`;
  }
  for (const line of expected) {
    const problem = checkOne(answer, line, variables);
    if (problem !== undefined) return `${line}\n      ${problem}`;
  }
  return undefined;
}

function checkOne(answer, line, variables) {
  const [mark] = line.split(" ", 1);
  const rest = line.slice(mark.length + 1);
  const json = (text) => variables.fill(JSON.parse(text));
  const part = (name) => kept(answer)?.[name] ?? null;
  switch (mark) {
    case "!": return checkError(answer, variables.text(rest));
    case "=": return compare(main(answer), json(rest), subset);
    case "==": return compare(main(answer), json(rest), (found, wanted) => isDeepStrictEqual(found, wanted));
    case "~": return unordered(main(answer), json(rest));
    case "#": return count(main(answer), rest);
    case "contains": return contains(main(answer), json(rest));
    case "followed": {
      const [how] = rest.split(" ", 1);
      const wanted = json(rest.slice(how.length + 1));
      return how === "=" ? compare(part("followed"), wanted, subset) : unordered(part("followed"), wanted);
    }
    case "dangling": return compare(part("dangling"), json(rest.replace(/^= /, "")), subset);
    case "more": return part("cursor") === null ? "there is no further page" : undefined;
    case "end": return part("cursor") === null ? undefined : "there is a further page";
    default: return "no such expectation";
  }
}

function checkError(answer, wanted) {
  if (!answer.error) return `no error, but ${JSON.stringify(kept(answer))}`;
  const [kind] = wanted.split(" ", 1);
  const words = wanted.slice(kind.length + 1);
  const { error } = answer;
  return error.kind === kind && error.message.includes(words) ? undefined : `another error: ${error.kind}: ${error.message}`;
}

const compare = (found, wanted, same) => (same(found, wanted) ? undefined : `found ${JSON.stringify(found)}`);

/** Objects may have more, lists are element by element, null is absent, "/part/" is a text with `part` in it. */
function subset(found, wanted) {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && found.length === wanted.length && wanted.every((one, at) => subset(found[at], one));
  }
  if (typeof wanted === "object" && wanted !== null) {
    if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
    return Object.entries(wanted).every(([name, one]) => subset(found[name] ?? null, one));
  }
  if (typeof found === "string" && typeof wanted === "string" && /^\/.+\/$/s.test(wanted)) {
    return found.includes(wanted.replace(/^\/+|\/+$/g, ""));
  }
  // Clients get numbers of kind `number` as their digits.
  if (typeof found === "string" && typeof wanted === "number") return found === String(wanted);
  return (found ?? null) === wanted;
}

function unordered(found, wanted) {
  if (!Array.isArray(found)) return `lists are compared so, not ${JSON.stringify(found)}`;
  const left = [...found];
  for (const one of wanted) {
    const at = left.findIndex((candidate) => subset(candidate, one));
    if (at < 0) return `${JSON.stringify(one)} is not among ${JSON.stringify(found)}`;
    left.splice(at, 1);
  }
  return left.length === 0 ? undefined : `there is more: ${JSON.stringify(left)}`;
}

function contains(found, wanted) {
  if (!Array.isArray(found)) return `a list contains, not ${JSON.stringify(found)}`;
  return found.some((one) => subset(one, wanted)) ? undefined : `not among ${JSON.stringify(found)}`;
}

/** `# 5`, `# <= 100`, `# >= 3`. */
function count(found, rest) {
  const number = Array.isArray(found) ? found.length : found;
  if (typeof number !== "number") return `nothing to count: ${JSON.stringify(found)}`;
  const wanted = Number(rest.replace(/^[<>]=/, ""));
  const holds = rest.startsWith("<=") ? number <= wanted : rest.startsWith(">=") ? number >= wanted : number === wanted;
  return holds ? undefined : `there are ${number}`;
}
