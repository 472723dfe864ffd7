// Inline changes: every change is a dry run until it is applied, and the server says what would be written and why.
import { send, visit, parse } from "./page.js";
import { focusCell } from "./keys.js";
import { openDrawer } from "./drawer.js";

// Changes of one row: attribute to { cell, was, text }.
let changes = new Map();
let row = null;
// Writes on their way: until what they did is shown, nothing else takes its place.
let writes = 0;

function bar() {
  return document.getElementById("changes-bar");
}

function show(html) {
  const evidence = document.getElementById("evidence");
  evidence.querySelector("[data-answer]")?.remove();
  const part = document.createElement("div");
  part.dataset.answer = "";
  // The server rendered this, and escaped every value in it.
  part.innerHTML = html;
  evidence.prepend(part);
  evidence.scrollTop = 0;
  openDrawer();
  return part;
}

function words(isDry) {
  const body = new URLSearchParams({ do: "update", of: bar().dataset.entity, key: row.dataset.key });
  for (const [name, change] of changes) {
    body.set(`set.${name}`, change.text);
    body.set(`was.${name}`, change.was);
  }
  if (isDry) body.set("dry", "1");
  return body;
}

function showBar(verdict) {
  const isEmpty = changes.size === 0;
  bar().hidden = isEmpty;
  bar().querySelector("[data-count]").textContent = `${changes.size} change${changes.size === 1 ? "" : "s"} to 1 row`;
  bar().querySelector("[data-verdict]").textContent = verdict;
}

async function tryOut() {
  if (changes.size === 0) return showBar("");
  const answer = await send(bar().dataset.write, words(true));
  const outcome = show(answer.text).querySelector("[data-outcome]");
  showBar(outcome?.dataset.summary ?? "");
  bar().querySelector("[data-apply]").disabled = !answer.ok;
}

async function writing(work) {
  writes += 1;
  try {
    await work();
  } finally {
    writes -= 1;
  }
}

async function apply() {
  if (changes.size === 0) return;
  const answer = await send(bar().dataset.write, words(false));
  if (!answer.ok) {
    show(answer.text);
    return showBar("refused, nothing was written");
  }
  forget();
  await visit(location.href, { keep: true });
  show(answer.text);
}

// Changes that were not applied are lost when the reader goes elsewhere.
function mayLeave() {
  const count = changes.size;
  return count === 0 || confirm(`${count} change${count === 1 ? " is" : "s are"} not applied yet. Go on without ${count === 1 ? "it" : "them"}?`);
}

function onLeave(event) {
  if (mayLeave()) forget();
  else event.preventDefault();
}

// A page that took the place of the changed row, as when the reader goes back, has nothing to apply.
function forgetWhatIsGone() {
  if (row && !row.isConnected) forget();
}

function forget() {
  changes = new Map();
  row = null;
}

// The reader has seen what others wrote, and wants the own values all the same.
async function keepMine(button) {
  for (const now of button.querySelectorAll("data")) {
    const change = changes.get(now.dataset.name);
    if (change) change.was = now.value;
  }
  await tryOut();
}

async function discard() {
  forget();
  await visit(location.href, { keep: true });
}

function draw(cell, change) {
  cell.textContent = "";
  const before = document.createElement("s");
  before.textContent = change.shown;
  cell.append(before, " ", change.text);
  cell.classList.add("chg");
}

function edit(cell) {
  const line = cell.closest("tr");
  // One row at a time: its version is what a write depends on.
  if (row && row !== line) return;
  const name = cell.dataset.attribute;
  const known = changes.get(name);
  const shown = known?.shown ?? (cell.querySelector(".nul") ? "" : cell.textContent);
  // Texts can have several lines. What is not touched stays as it is, also if the field shows it otherwise.
  const input = document.createElement("textarea");
  input.value = shown;
  const untouched = input.value;
  if (known) input.value = known.text;
  input.rows = Math.min(8, input.value.split("\n").length);
  input.wrap = "off";
  input.spellcheck = false;
  input.setAttribute("aria-label", name);
  cell.textContent = "";
  cell.classList.add("edit");
  cell.append(input);
  input.select();
  let isDone = false;
  const finish = (isKept) => {
    if (isDone) return;
    isDone = true;
    cell.classList.remove("edit");
    if (isKept && input.value !== untouched) {
      row = line;
      const change = { was: cell.dataset.was, text: input.value, shown };
      changes.set(name, change);
      draw(cell, change);
      tryOut();
    } else if (isKept || !known) {
      changes.delete(name);
      cell.classList.remove("chg");
      cell.textContent = shown === "" ? "–" : shown;
      if (changes.size === 0) row = null;
      showBar("");
    } else draw(cell, known);
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && event.shiftKey) {
      input.rows = Math.min(8, input.value.split("\n").length + 1);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === "Enter");
    focusCell(cell);
  });
  input.addEventListener("blur", () => finish(true));
}

function onSubmit(event) {
  if (!event.target.matches("[data-write-form]")) return;
  event.preventDefault();
  writing(() => submit(event));
}

async function submit(event) {
  const form = event.target;
  const body = new URLSearchParams(new FormData(form, event.submitter ?? undefined));
  const isDry = body.has("dry");
  const answer = await send(form.dataset.writeForm, body);
  const dialog = form.closest("dialog");
  const page = parse(answer.text);
  if (answer.ok && !isDry) {
    dialog?.removeAttribute("data-open");
    const address = new URL(location.href);
    for (const name of ["new", "delete", "row"]) address.searchParams.delete(name);
    history.replaceState(null, "", address);
    dialog?.close();
    await visit(address.href, { keep: true });
    show(answer.text);
    return;
  }
  if (!dialog) return void show(answer.text);
  const again = page.querySelector("template[data-form]");
  if (again) {
    form.replaceWith(again.content.firstElementChild);
    dialog.querySelector("[aria-invalid=true]")?.focus();
  } else {
    dialog.querySelector(".body").querySelector("[data-trial]")?.remove();
    const part = document.createElement("div");
    part.dataset.trial = "";
    part.append(...page.body.childNodes);
    dialog.querySelector(".body").append(part);
    part.scrollIntoView({ block: "nearest" });
  }
  const verdict = dialog.querySelector("[data-verdict]");
  if (verdict) verdict.textContent = page.querySelector("[data-outcome]")?.dataset.summary ?? "";
}

// Whether somebody has filled something in that was not sent yet.
function isFilled() {
  const fields = document.querySelectorAll("[data-write-form] input:not([type=hidden]), [data-write-form] textarea, [data-run] input");
  return [...fields].some((field) => field.value !== field.defaultValue);
}

export function isEditing() {
  return writes > 0 || changes.size > 0 || isFilled() || document.querySelector("td.edit") !== null || document.querySelector("dialog[open]") !== null;
}

export function offerEdits() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("leave", onLeave);
  document.addEventListener("page", forgetWhatIsGone);
  addEventListener("beforeunload", (event) => {
    if (changes.size > 0) event.preventDefault();
  });
  document.addEventListener("dblclick", (event) => {
    const cell = event.target.closest("td[data-attribute]");
    if (cell && !cell.matches(".edit")) edit(cell);
  });
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("td[data-attribute]");
    if (cell && event.target === cell && (event.key === "Enter" || event.key === "F2")) {
      event.preventDefault();
      edit(cell);
    }
    if ((event.ctrlKey || event.metaKey) && event.key === "s" && bar() && !bar().hidden) {
      event.preventDefault();
      writing(apply);
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-apply]")) writing(apply);
    if (event.target.closest("[data-discard]")) discard();
    const mine = event.target.closest("[data-keep-mine]");
    if (mine) keepMine(mine);
  });
}
