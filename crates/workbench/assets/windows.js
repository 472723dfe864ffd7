// Long partitions: windows of rows are read as they come near, and give their rows back when they are far away. However long a
// partition is, the page holds at most 60 rows in a window of usual height.
import { load, parse } from "./page.js";

// Rows are kept as far as this from what is seen, in heights of the list.
const NEAR = "25% 0%";
// The rows of the next window are asked for this far ahead.
const AHEAD = "100% 0%";

let near = null;
let ahead = null;

async function extend(link) {
  ahead.unobserve(link);
  const answer = await load(link.dataset.next).catch(() => null);
  if (!link.isConnected) return;
  const next = answer?.status === 200 ? parse(answer.text).querySelector("[data-window]") : null;
  if (!next) return void setTimeout(() => link.isConnected && ahead.observe(link), 1000);
  const here = link.closest("[data-window]");
  link.remove();
  here.after(document.adoptNode(next));
  watch(next);
}

async function fill(part) {
  part.dataset.filling = "";
  const answer = await load(part.dataset.window).catch(() => null);
  delete part.dataset.filling;
  if (!answer || answer.status !== 200 || !("empty" in part.dataset) || !part.isConnected) return;
  const full = parse(answer.text).querySelector("[data-window]");
  full?.querySelector("[data-next]")?.remove();
  part.replaceChildren(...full.childNodes);
  part.style.height = "";
  delete part.dataset.empty;
}

function empty(part) {
  if ("empty" in part.dataset || part.contains(document.activeElement) || part.querySelector("[data-next]")) return;
  part.style.height = `${part.offsetHeight}px`;
  part.replaceChildren();
  part.dataset.empty = "";
}

function watch(part) {
  near.observe(part);
  const more = part.querySelector("[data-next]");
  if (more) ahead.observe(more);
}

function onNear(entries) {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) empty(target);
    else if ("empty" in target.dataset && !("filling" in target.dataset)) fill(target);
  }
}

function onAhead(entries) {
  for (const { target, isIntersecting } of entries) if (isIntersecting) extend(target);
}

export function watchWindows() {
  document.addEventListener("page", () => {
    near?.disconnect();
    ahead?.disconnect();
    const list = document.querySelector("[data-windows]");
    if (!list) return;
    // On a phone the document scrolls, and not the list.
    const root = getComputedStyle(list).overflowY === "visible" ? null : list;
    near = new IntersectionObserver(onNear, { root, rootMargin: NEAR });
    ahead = new IntersectionObserver(onAhead, { root, rootMargin: AHEAD });
    for (const part of list.querySelectorAll("[data-window]")) watch(part);
  });
}
