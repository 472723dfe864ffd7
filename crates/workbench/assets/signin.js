// A server that demands tokens: the page asks for one, keeps it for this tab, and sends it with every request.
import { hasProof, keepProof, load, parse, put } from "./page.js";

async function enter(isFirst) {
  const page = await load(location.href).catch(() => null);
  if (page && page.status !== 401 && page.status !== 403) {
    put(parse(page.text), { keep: false });
    return;
  }
  const problem = document.getElementById("signin-problem");
  if (isFirst || !problem) return;
  problem.hidden = false;
  problem.textContent = "The server does not accept it.";
}

export function offerSignIn() {
  if (!document.getElementById("signin")) return;
  if (hasProof()) enter(true);
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "signin") return;
    event.preventDefault();
    const words = new FormData(event.target);
    keepProof(words.get("token"), words.get("key"));
    enter(false);
  });
}
