// The evidence as a drawer, in windows that have no room for it beside the work. It opens by its button, and by itself when there is
// something new in it that the reader asked for: a dry run, an item, a row.
const NARROW = matchMedia("(max-width: 1180px) and (min-width: 721px)");

function button() {
  return document.querySelector("[data-panel]");
}

function set(isOpen) {
  document.body.toggleAttribute("data-drawer", isOpen);
  button()?.setAttribute("aria-expanded", String(isOpen));
}

export function openDrawer() {
  if (NARROW.matches) set(true);
}

export function offerDrawer() {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-panel]")) set(!document.body.hasAttribute("data-drawer"));
    else if (event.target.closest("a[data-row], [data-grid] a")) openDrawer();
  });
  document.addEventListener("keydown", (event) => {
    const isFree = !document.querySelector("dialog[open]") && !event.target.matches("input, textarea, select");
    if (event.key !== "Escape" || !isFree || !document.body.hasAttribute("data-drawer")) return;
    set(false);
    button()?.focus();
  });
  // A page that takes the place of another brings a button of its own.
  document.addEventListener("page", () => set(document.body.hasAttribute("data-drawer")));
}
