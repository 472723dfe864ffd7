// Fetches a page and puts it in the place of this one, keeping focus and scroll.
const TOKEN = "monotable-token";
const KEY = "monotable-key";
let visits = 0;

// A token or key of this tab. It is never part of an address.
export function proofs() {
  const headers = {};
  const token = sessionStorage.getItem(TOKEN);
  const key = sessionStorage.getItem(KEY);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["X-Api-Key"] = key;
  return headers;
}

export function keepProof(token, key) {
  sessionStorage.removeItem(TOKEN);
  sessionStorage.removeItem(KEY);
  if (token) sessionStorage.setItem(TOKEN, token);
  if (key) sessionStorage.setItem(KEY, key);
}

export function hasProof() {
  return sessionStorage.getItem(TOKEN) !== null || sessionStorage.getItem(KEY) !== null;
}

export async function load(address) {
  const answer = await fetch(address, { headers: { ...proofs(), Accept: "text/html" } });
  return { status: answer.status, address: answer.url, text: await answer.text() };
}

// Sends a form. Pages of other origins cannot send the header, so they cannot write.
export async function send(address, body) {
  const headers = { ...proofs(), "Monotable-Workbench": "1", "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await fetch(address, { method: "POST", headers, body: body.toString() });
  const text = await answer.text();
  const outcome = parse(text).querySelector("[data-outcome]")?.dataset.outcome;
  return { ok: answer.ok && outcome !== "Refused", text };
}

export function parse(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

function scrolls() {
  return new Map([...document.querySelectorAll("[data-scroll],.side-scroll,.panel")].map((part) => [part.dataset.scroll ?? part.className, part.scrollTop]));
}

function choices() {
  return [...document.querySelectorAll("[data-choices]")].map((part) => [part.dataset.choices, part.querySelector("[aria-pressed=true]")?.dataset.choice]);
}

export function put(page, { keep }) {
  const before = scrolls();
  const chosen = choices();
  const isSame = keep || document.title === page.title;
  const focus = document.activeElement?.id;
  document.title = page.title;
  const app = page.getElementById("app");
  if (!app || !document.getElementById("app")) {
    document.body.replaceWith(document.adoptNode(page.body));
  } else {
    for (const id of ["app", "palette"]) {
      const next = page.getElementById(id);
      const known = document.getElementById(id);
      if (next && known) known.replaceWith(document.adoptNode(next));
    }
    const bottom = page.querySelector(".bnav");
    if (bottom) document.querySelector(".bnav")?.replaceWith(document.adoptNode(bottom));
  }
  for (const part of document.querySelectorAll("[data-scroll],.side-scroll,.panel")) {
    const name = part.dataset.scroll ?? part.className;
    if (before.has(name) && (isSame || part.matches(".side-scroll"))) part.scrollTop = before.get(name);
  }
  for (const [name, choice] of chosen) {
    const part = document.querySelector(`[data-choices="${name}"]`);
    if (choice) part?.querySelector(`[data-choice="${CSS.escape(choice)}"]`)?.click();
  }
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  start();
}

// Puts only the evidence of a page in its place: the rows of a long list stay where they are, also those that the page does not have.
function putEvidence(page) {
  const [next, known] = [page, document].map((from) => from.querySelector("main .panel"));
  if (!next || !known) return put(page, { keep: true });
  document.title = page.title;
  known.parentElement.className = next.parentElement.className;
  known.replaceWith(document.adoptNode(next));
  start();
}

function choose(link, list) {
  for (const other of list.querySelectorAll("[data-row][aria-current]")) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
}

// Opens dialogs that the page brought, and shows the chosen line of its list.
export function start() {
  const dialog = document.getElementById("open-dialog");
  if (dialog && !dialog.open) {
    dialog.showModal();
    dialog.querySelector(".formgrid input, .formgrid select")?.focus();
    dialog.addEventListener("close", () => leaveDialog());
  }
  document.querySelector(".side-scroll [aria-current=true]")?.scrollIntoView({ block: "nearest" });
  document.dispatchEvent(new CustomEvent("page"));
}

function leaveDialog() {
  const address = new URL(location.href);
  for (const name of ["new", "delete"]) address.searchParams.delete(name);
  if (address.href !== location.href) visit(address.href, { keep: true });
}

// `unless` says at the last moment that the page stays as it is.
export async function visit(address, { keep = false, replace = false, unless = () => false, place = put } = {}) {
  const number = ++visits;
  const wanted = new URL(address, location.href);
  document.body.dataset.loading = "";
  try {
    const page = await load(wanted.href);
    if (number !== visits || unless()) return;
    const reached = new URL(page.address);
    reached.hash = wanted.hash;
    if (reached.href !== location.href) history[replace ? "replaceState" : "pushState"](null, "", reached);
    place(parse(page.text), { keep });
    if (wanted.hash) document.getElementById(wanted.hash.slice(1))?.scrollIntoView({ block: "center" });
    document.dispatchEvent(new CustomEvent("reached"));
  } catch (problem) {
    document.dispatchEvent(new CustomEvent("unreached", { detail: problem }));
  } finally {
    if (number === visits) delete document.body.dataset.loading;
  }
}

// Leads the reader elsewhere, unless something here is not finished and the reader wants to finish it.
export async function go(address, options) {
  const isFree = document.dispatchEvent(new CustomEvent("leave", { cancelable: true }));
  if (isFree) await visit(address, options);
}

function isOurs(link) {
  return link.origin === location.origin && link.pathname.startsWith("/ui/") && !link.matches("[data-outside],[target]");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const href = link.href.baseVal ?? link.href;
  const to = new URL(href, location.href);
  if (!isOurs({ origin: to.origin, pathname: to.pathname, matches: (words) => link.matches(words) })) return;
  if (to.pathname === location.pathname && to.search === location.search && to.hash) return;
  event.preventDefault();
  link.closest("details.menu")?.removeAttribute("open");
  link.closest("dialog")?.close();
  const list = link.matches("[data-row]") ? link.closest("[data-windows]") : null;
  if (list) choose(link, list);
  go(to.href, { keep: link.matches("[data-row],[data-keep]"), place: list ? putEvidence : put });
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("[data-write-form]") || form.method !== "get" || form.id === "signin") return;
  event.preventDefault();
  const words = new URLSearchParams(new FormData(form, event.submitter ?? undefined));
  for (const [name, value] of [...words]) if (value === "") words.delete(name);
  const address = new URL(form.getAttribute("action") ?? location.pathname, location.href);
  go(`${address.pathname}?${words}`);
});
addEventListener("popstate", () => visit(location.href, { keep: true, replace: true }));
