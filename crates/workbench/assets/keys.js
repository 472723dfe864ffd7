// The keyboard: screens, lists, grids.
import { go as lead } from "./page.js";

let isGoing = false;

function isTyping(target) {
  return target.matches("input, textarea, select, [contenteditable]");
}

function go(key) {
  const tab = document.querySelector(`[data-go="${CSS.escape(key)}"]`);
  if (tab) lead(tab.href);
}

function moveInList(list, by) {
  const lines = [...list.querySelectorAll("a")].filter((line) => !line.hidden && line.offsetParent);
  const at = lines.indexOf(document.activeElement);
  const next = lines[Math.max(0, Math.min(lines.length - 1, at + by))];
  next?.focus();
}

// A grid has one tab stop; arrows move it.
function moveInGrid(cell, rows, columns) {
  const row = cell.parentElement;
  const body = row.parentElement;
  const x = [...row.cells].indexOf(cell);
  const y = [...body.rows].indexOf(row);
  const next = body.rows[Math.max(0, Math.min(body.rows.length - 1, y + rows))];
  const target = next?.cells[Math.max(0, Math.min(next.cells.length - 1, x + columns))];
  focusCell(target);
}

export function focusCell(cell) {
  if (!cell) return;
  for (const other of cell.closest("table").querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

const ARROWS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

function onGridKey(event, cell) {
  if (event.key in ARROWS) {
    event.preventDefault();
    moveInGrid(cell, ...ARROWS[event.key]);
    return true;
  }
  if (event.key === "Enter" && !cell.matches("[data-attribute]")) {
    cell.querySelector("a")?.click();
    return true;
  }
  return false;
}

function onPlainKey(event) {
  if (isGoing) {
    isGoing = false;
    go(event.key);
    return;
  }
  if (event.key === "g") isGoing = true;
  else if (event.key === "/") document.querySelector("[data-filter],[data-filter-form]")?.focus();
  else if (event.key === "?") document.getElementById("shortcuts").showModal();
  else if (event.key === "y") document.querySelector(".copy-as .code:not([hidden]) [data-copy]")?.click();
  else return;
  event.preventDefault();
}

function onKey(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest("form") ?? document.querySelector("form[data-run]");
    if (form?.matches("[data-run],[data-dialog-form]")) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("button.pri, button.danger"));
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const cell = event.target.closest("[data-grid] td");
  if (cell && !isTyping(event.target) && onGridKey(event, cell)) return;
  const list = event.target.closest("[data-list], [data-windows]");
  if (list && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    moveInList(list.querySelector(".side-scroll") ?? list, event.key === "ArrowDown" ? 1 : -1);
    return;
  }
  if (event.key === "Escape" && event.target.matches("[data-filter]")) event.target.blur();
  if (!isTyping(event.target)) onPlainKey(event);
}

function giveTabStops() {
  for (const grid of document.querySelectorAll("[data-grid]")) {
    const current = grid.querySelector("tr[aria-current] td") ?? grid.querySelector("tbody td");
    if (current && !grid.querySelector("td[tabindex='0']")) current.tabIndex = 0;
  }
}

export function listenForKeys() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("page", giveTabStops);
}
