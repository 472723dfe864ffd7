// Statements as operations, and what operations answer as scripts compare it.

const changeWords = new Set(["set", "unset", "add", "append"]);

/** The operation of a statement, and its options. `inside` are the operations of its block. */
export function makeOperation(statement, inside) {
  return [operationOf(statement, inside), optionsOf(statement)];
}

function operationOf(statement, inside) {
  const [name, json] = [statement.wordAt(0), (place) => statement.jsonAt(place)];
  switch (statement.word) {
    case "create": case "put": case "attach": return { [statement.word]: name, values: json(1) };
    case "get": case "delete": case "detach": return { [statement.word]: name, key: json(1) };
    case "update": return { update: name, key: json(1), ...changeOf(json(2)) };
    case "move": return { move: name, key: json(1), set: json(2) ?? {} };
    case "query": return {
      query: name, parameters: json(1) ?? {}, limit: numberAfter(statement, "limit"), after: statement.wordAfter("after"),
      ...(statement.has("descending") ? { descending: true } : {}),
    };
    case "check-secret": return { check_secret: name, key: json(1), attribute: statement.wordAt(2), text: json(3) };
    case "transact": return { transact: inside };
    case "commit": return { commit_all: [{ commit: name, key: json(1), values: json(2) ?? {}, ...parentOf(statement), changes: inside }] };
    case "commits": return { commit_all: inside.flatMap((one) => one.commit_all) };
    case "carry": return { carry: name, key: json(1), values: json(2) ?? {} };
    case "purge": return { purge: json(0) };
    case "log": return {
      log: name, key: json(1), limit: numberAfter(statement, "limit"), after: statement.wordAfter("after"),
      oldest_first: statement.has("oldest"),
    };
    case "show": return {
      show: name, key: json(1), at: atOf(statement.wordAfter("at")), with_tombstones: statement.has("buried"),
      under: statement.wordAfter("under"),
    };
    case "diff": return { diff: name, key: json(1), from: atOf(statement.wordAt(2)), to: atOf(statement.wordAt(3)) };
    case "rollback": return { rollback: name, key: json(1), to: statement.wordAt(2), from: statement.wordAfter("from") };
    case "revert": return { revert: name, key: json(1), to: atOf(statement.wordAt(2)), values: json(3) ?? {}, ...parentOf(statement) };
    case "sweep": return { sweep: name, key: json(1), older_than: numberAfter(statement, "older") ?? 0 };
    default: throw new Error(`there is no statement \`${statement.word}\``);
  }
}

const numberAfter = (statement, word) => {
  const text = statement.wordAfter(word);
  return text === undefined ? undefined : Number(text);
};

function changeOf(json) {
  const names = Object.keys(json);
  return names.length > 0 && names.every((name) => changeWords.has(name)) ? json : { set: json };
}

function parentOf(statement) {
  const [parent, rebase] = [statement.wordAfter("parent"), statement.wordAfter("rebase")];
  if (parent !== undefined) return { parent };
  if (rebase !== undefined) return { rebase };
  return statement.has("first") ? { parent: null } : {};
}

/** `head`, a time, or a revision. */
function atOf(word) {
  if (word === undefined || word === "head") return "head";
  return /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(word) ? { time: word } : { revision: word };
}

function optionsOf(statement) {
  const expecting = statement.after("expecting")?.json;
  return {
    ...(expecting ? { expecting } : {}), token: statement.wordAfter("token"), consistent: statement.has("consistent"),
    dry: statement.has("dry"), ip: statement.wordAfter("ip"), source: statement.wordAfter("source"),
  };
}

/** What an operation answered, as scripts see it. */
export function showOutput(operation, output) {
  // A pattern may be a difference of two revisions.
  const isDifference = "diff" in operation || ("query" in operation && !("hidden" in output));
  if (isDifference) return { value: output.rows.map(showDifference) };
  if ("query" in operation || "log" in operation) return { page: showPage(output) };
  if ("show" in operation) return { page: { revision: output.revision, rows: output.rows.map(showRow) } };
  if ("check_secret" in operation) return { value: output };
  if ("transact" in operation) return { value: output.map(showRow) };
  if (["commit_all", "revert", "carry"].some((name) => name in operation)) return { value: showCommitted(output) };
  if ("sweep" in operation) {
    const { problems, ...counts } = output;
    return { value: problems.length > 0 ? { ...counts, problems } : counts };
  }
  if ("purge" in operation) {
    const items = output.partitions.reduce((sum, partition) => sum + partition.items, 0);
    return { value: { partitions: output.partitions.length, items } };
  }
  return { value: showRow(output) };
}

function showPage(page) {
  const unknown = page.unknown.map((item) => ({ entity: "unknown", ...showItem(item) }));
  return {
    rows: [...page.rows.map(showRow), ...unknown], followed: (page.followed ?? []).map(showRow), dangling: page.dangling,
    hidden: page.hidden, cursor: page.cursor ?? null,
  };
}

function showCommitted({ revisions, warnings }) {
  const rows = revisions.map(showRow);
  return { ...rows[0], revisions: rows, warnings: warnings ?? [] };
}

function showDifference(difference) {
  const [is, told] = Object.entries(difference)[0];
  if (is === "added" || is === "removed") return { is, row: showRow(told) };
  const { before, after, ...others } = told;
  return { is, before: showRow(before), row: showRow(after), ...others };
}

/** A row as an object, its entity under `entity`. */
function showRow(row) {
  const { $entity, $followed, ...values } = row;
  return { entity: $entity, ...showValue(values) };
}

function showValue(value) {
  if (typeof value === "number") return Number.isInteger(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof Set) return Array.from(value, showValue);
  if (Array.isArray(value)) return value.map(showValue);
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    if (value.constructor?.name === "Exact") return value.text;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, showValue(one)]));
  }
  return value;
}

/** An item of DynamoDB's JSON as an object. */
export function showItem(item) {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, showAttribute(value)]));
}

function showAttribute(value) {
  const [type, held] = Object.entries(value)[0];
  switch (type) {
    case "N": return /^-?\d{1,15}$/.test(held) ? Number(held) : held;
    case "NULL": return null;
    case "L": return held.map(showAttribute);
    case "M": return showItem(held);
    default: return held;
  }
}

/** A JSON object as an item of DynamoDB. */
export function asItem(json) {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, asAttribute(value)]));
}

function asAttribute(value) {
  if (value === null) return { NULL: true };
  switch (typeof value) {
    case "boolean": return { BOOL: value };
    case "number": return { N: String(value) };
    case "string": return { S: value };
    default: return Array.isArray(value) ? { L: value.map(asAttribute) } : { M: asItem(value) };
  }
}
