// Runs before the first paint, so that the page never shows in the wrong scheme.
const chosen = localStorage.getItem("monotable-theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
