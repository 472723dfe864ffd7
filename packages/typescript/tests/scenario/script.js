// A script as statements with their places, blocks included. tools/scenarios/GRAMMAR.md is the grammar.

const marks = ["= ", "== ", "~ ", "! ", "# ", "followed = ", "followed ~ ", "dangling = ", "more", "end", "contains "];
const blocks = new Set(["for", "parallel", "transact", "commit", "commits"]);

export function parseScript(text) {
  const open = [[]];
  const heads = [];
  text.split("\n").forEach((raw, position) => {
    const trimmed = raw.trimStart();
    if (raw.trim() === "" || (trimmed.startsWith("# ") && !raw.startsWith("  # ")) || raw === "#") return;
    const entries = open.at(-1);
    if (raw.startsWith("  ")) {
      goOn(entries.at(-1), trimmed);
      return;
    }
    const entry = { line: position + 1, text: raw.trimEnd(), expected: [], inside: [] };
    const [word] = raw.split(/\s/);
    if (blocks.has(word)) {
      heads.push(entry);
      open.push([]);
    } else if (word === "done") {
      const head = heads.pop();
      head.inside = open.pop();
      open.at(-1).push(head);
    } else {
      entries.push(entry);
    }
  });
  return open[0];
}

/** A line that goes on: with a new expectation, with the last one, or with the statement. */
function goOn(entry, rest) {
  if (marks.some((mark) => rest.startsWith(mark) || rest === mark.trim())) entry.expected.push(rest);
  else if (entry.expected.length > 0) entry.expected[entry.expected.length - 1] += ` ${rest}`;
  else entry.text += ` ${rest}`;
}

/** `for i in 1..5` in its parts. */
export function parseRange(entry) {
  const [, name, , range] = entry.text.split(/\s+/);
  const [from, to] = range.split("..").map(Number);
  return { name, from, to };
}

/** A statement in its parts, variables filled in. */
export class Statement {
  constructor(text, variables) {
    const kept = /^(.*) -> ([A-Za-z0-9_]*)$/s.exec(text);
    this.keptAs = kept?.[2];
    this.parts = [];
    let rest = (kept?.[1] ?? text).trim();
    while (rest !== "") {
      if (/^[{["]/.test(rest)) {
        const end = endOfJson(rest);
        this.parts.push({ json: variables.fill(JSON.parse(rest.slice(0, end))) });
        rest = rest.slice(end).trimStart();
      } else {
        const [word] = rest.split(/\s/, 1);
        this.parts.push(word.startsWith("$") ? asPart(variables.fill(word)) : { word: variables.text(word) });
        rest = rest.slice(word.length).trimStart();
      }
    }
    this.word = this.parts.shift().word;
  }

  wordAt(place) { return this.parts[place]?.word; }
  jsonAt(place) { return this.parts[place]?.json; }
  has(word) { return this.parts.some((part) => part.word === word); }
  after(word) {
    const at = this.parts.findIndex((part) => part.word === word);
    return at < 0 ? undefined : this.parts[at + 1];
  }
  wordAfter(word) {
    const part = this.after(word);
    return part?.word ?? (typeof part?.json === "string" ? part.json : undefined);
  }
}

/** What a variable that stands alone is: an object or a list is itself. */
function asPart(value) {
  if (typeof value === "string") return { word: value };
  return typeof value === "object" && value !== null ? { json: value } : { word: JSON.stringify(value) };
}

/** Where the JSON at the beginning of a text ends. */
function endOfJson(text) {
  let [depth, quoted] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === "\\") at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    if (!quoted && depth === 0) return at + 1;
  }
  throw new Error(`no JSON in ${text}`);
}

/** What earlier statements have found, by name: `$ann.UserId`. */
export class Variables {
  #known = new Map();

  set(name, value) { this.#known.set(name, value); }

  /** JSON with every `$name` in its texts replaced. A text that is only a name becomes the value itself. */
  fill(json) {
    if (typeof json === "string") {
      return /^\$[A-Za-z0-9_.]+$/.test(json) ? this.#get(json.slice(1)) : this.text(json);
    }
    if (Array.isArray(json)) return json.map((value) => this.fill(value));
    if (typeof json === "object" && json !== null) {
      return Object.fromEntries(Object.entries(json).map(([name, value]) => [this.text(name), this.fill(value)]));
    }
    return json;
  }

  /** A text with every `$name` in it replaced; twice is the sign itself, and a dot at the end ends a sentence. */
  text(text) {
    return text.replace(/\$\$|\$([A-Za-z0-9_.]*)/g, (all, path) => {
      if (all === "$$") return "$";
      const trimmed = path.replace(/\.+$/, "");
      if (trimmed === "") return `$${path}`;
      const value = this.#get(trimmed);
      return (typeof value === "string" ? value : JSON.stringify(value)) + path.slice(trimmed.length);
    });
  }

  #get(path) {
    const [first, ...names] = path.split(".");
    if (!this.#known.has(first)) throw new Error(`nothing is called $${first}`);
    let value = this.#known.get(first);
    for (const name of names) {
      value = value?.[name];
      if (value === undefined) throw new Error(`$${path}: there is no \`${name}\``);
    }
    return value;
  }
}
