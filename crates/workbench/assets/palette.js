// The palette: finds keys, rows, patterns and screens as the reader types.
import { go, load } from "./page.js";

let asked = 0;

function options() {
  return [...document.querySelectorAll("#palette-list [role=option]")];
}

function select(option) {
  for (const other of options()) other.setAttribute("aria-selected", String(other === option));
  const words = document.getElementById("palette-words");
  options().forEach((other, position) => { other.id = `palette-${position}`; });
  if (option) words.setAttribute("aria-activedescendant", option.id);
  else words.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}

async function find() {
  const palette = document.getElementById("palette");
  if (!palette.dataset.find) return;
  const number = ++asked;
  const address = new URL(palette.dataset.find, location.href);
  address.searchParams.set("q", document.getElementById("palette-words").value);
  const answer = await load(address.href).catch(() => null);
  if (number !== asked || !answer || answer.status !== 200) return;
  // The server rendered this, and escaped every value in it.
  document.getElementById("palette-list").innerHTML = answer.text;
  select(options()[0]);
}

function open() {
  const palette = document.getElementById("palette");
  if (!palette || palette.open) return;
  palette.showModal();
  document.getElementById("palette-words").select();
  find();
}

function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    open();
    return;
  }
  if (event.target.id !== "palette-words") return;
  const all = options();
  const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown") select(all[Math.min(all.length - 1, at + 1)]);
  else if (event.key === "ArrowUp") select(all[Math.max(0, at - 1)]);
  else if (event.key === "Enter") {
    const chosen = all[at];
    document.getElementById("palette").close();
    if (chosen) go(chosen.href);
  } else return;
  event.preventDefault();
}

export function offerPalette() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-palette]")) open();
    if (event.target.matches("dialog")) event.target.close();
  });
  document.addEventListener("input", (event) => {
    if (event.target.id === "palette-words") find();
  });
}
