// Listens to the server's events and shows what has happened; says so when the server does not answer.
import { proofs, visit } from "./page.js";
import { isEditing } from "./edit.js";

// Without a stream, as when too many pages listen, the page asks this often.
const PACE = 1000;
const SLOWEST = 8000;
// However much happens, the page is not shown anew more often than this, nor all the time.
const REST = 250;
// The server speaks every ten seconds; a stream that is silent for longer is gone.
const SILENCE = 25_000;
let isPaused = false;
let pause = PACE;
let shownAt = new Date();
let latest = null;
let isShowing = false;
let listening = null;
let timer = 0;

function clock(time) {
  return time.toISOString().slice(11, 19);
}

function sayGone(seconds) {
  const note = document.getElementById("connection");
  if (!note) return;
  note.hidden = false;
  note.textContent = `No answer from ${location.host}. What is on this screen is from ${clock(shownAt)} UTC. The page tries again in ${seconds} s. `;
  const now = document.createElement("button");
  now.type = "button";
  now.className = "btn s";
  now.textContent = "Try now";
  now.addEventListener("click", () => listen());
  note.append(now);
}

function isGone() {
  return document.getElementById("connection")?.hidden === false;
}

// Whether something happened since the server rendered what is shown.
function isStale(events) {
  const shown = document.getElementById("app")?.dataset;
  const screen = document.querySelector("[data-live]")?.dataset.live;
  if (!shown) return false;
  if (events.models !== shown.models) return true;
  if (screen === "activity") return String(events.calls) !== shown.calls;
  return screen === "rows" && String(events.writes) !== shown.writes;
}

// Shows the latest of what has happened, one page after another and with a rest in between.
async function show() {
  if (isShowing) return;
  isShowing = true;
  try {
    while (latest && isStale(latest) && !isPaused && !isEditing()) {
      const begin = performance.now();
      await visit(location.href, { keep: true, replace: true, unless: isEditing });
      const took = performance.now() - begin;
      await new Promise((resolve) => setTimeout(resolve, Math.max(REST, 3 * took)));
    }
  } finally {
    isShowing = false;
  }
}

async function hear(events) {
  latest = events;
  pause = PACE;
  if (isGone()) {
    document.getElementById("connection").hidden = true;
    if (!isEditing()) await visit(location.href, { keep: true, replace: true, unless: isEditing });
  }
  show();
}

async function readStream(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    const last = parts.filter((part) => part.startsWith("data: ")).pop();
    if (last) await hear(JSON.parse(last.slice(6)));
  }
}

// Listens until the stream ends, and then again. A page that nobody sees does not listen: browsers give a server few connections.
async function listen() {
  stopListening();
  const own = new AbortController();
  listening = own;
  let silence = 0;
  const alive = () => {
    clearTimeout(silence);
    silence = setTimeout(() => own.abort(), SILENCE);
  };
  try {
    if (document.visibilityState !== "visible") return;
    if (!document.getElementById("signin")) {
      alive();
      const answer = await fetch("/ui/events", { headers: { ...proofs(), Accept: "text/event-stream" }, signal: own.signal });
      const isStream = answer.headers.get("content-type") === "text/event-stream";
      if (answer.ok && isStream) await readStream(answer.body, alive);
      else if (answer.ok) await hear(await answer.json());
    }
  } catch {
    if (listening !== own) return;
    pause = Math.min(SLOWEST, pause * 2);
    sayGone(Math.round(pause / 1000));
  } finally {
    clearTimeout(silence);
  }
  if (listening === own) timer = setTimeout(listen, pause);
}

function stopListening() {
  const own = listening;
  listening = null;
  clearTimeout(timer);
  own?.abort();
}

export function follow() {
  document.addEventListener("reached", () => { shownAt = new Date(); });
  document.addEventListener("unreached", () => sayGone(Math.round(pause / 1000)));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") listen();
    else stopListening();
  });
  // What happened while the reader was changing something is shown afterwards.
  setInterval(show, PACE);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-pause]");
    if (!button) return;
    isPaused = !isPaused;
    button.lastElementChild.textContent = isPaused ? "Go on" : "Pause";
    document.querySelector("[data-live-state]").hidden = isPaused;
  });
  listen();
}
