// Makes the server's pages quick: links and forms are fetched, and only what changed is put in place. All state is in the address.
import { go, visit, start } from "./page.js";
import { listenForKeys } from "./keys.js";
import { offerPalette } from "./palette.js";
import { offerDrawer } from "./drawer.js";
import { offerEdits } from "./edit.js";
import { watchWindows } from "./windows.js";
import { follow } from "./live.js";
import { offerSignIn } from "./signin.js";

function chooseTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("monotable-theme", root.dataset.theme);
}

function choose(button) {
  const all = button.closest("[data-choices]");
  for (const other of all.querySelectorAll("[data-choice]")) other.setAttribute("aria-pressed", String(other === button));
  for (const part of all.querySelectorAll("[data-chosen]")) part.hidden = part.dataset.chosen !== button.dataset.choice;
}

export function tell(text) {
  document.getElementById("told").textContent = text;
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  tell("Copied.");
  button.dataset.copied = "";
  setTimeout(() => delete button.dataset.copied, 1200);
}

function filter(input) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = input.closest("[data-list]");
  for (const line of list.querySelectorAll("[data-words]")) {
    const text = line.dataset.words.toLowerCase();
    line.hidden = !words.every((word) => text.includes(word));
  }
}

async function verify(button) {
  button.disabled = true;
  button.textContent = "Verifying…";
  const { send } = await import("./page.js");
  for (const address of button.dataset.verify.split(" ")) await send(address, new URLSearchParams());
  await visit(location.href, { keep: true });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-theme-switch],[data-choice],[data-copy],[data-verify],[data-close]");
  if (!target) return;
  if (target.matches("[data-theme-switch]")) chooseTheme();
  else if (target.matches("[data-choice]")) choose(target);
  else if (target.matches("[data-copy]")) copy(target);
  else if (target.matches("[data-verify]")) verify(target);
  else if (target.matches("[data-close]")) target.closest("dialog").close();
});
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filter(event.target);
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-go-to]")) go(event.target.value);
  if (event.target.matches("[data-submit]")) {
    // Parameters of another pattern mean something else: they start anew.
    for (const field of event.target.form.querySelectorAll("[name^='p.']")) field.disabled = true;
    event.target.form.requestSubmit();
  }
});
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

listenForKeys();
offerPalette();
offerDrawer();
offerEdits();
watchWindows();
offerSignIn();
start();
follow();
