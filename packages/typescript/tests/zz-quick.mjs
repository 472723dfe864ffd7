import { createMemory } from "monotable/memory";
import { Models, countingRandom, listScripts, readScript } from "./repository.js";
import { Runner } from "./scenario/runner.js";
const models = new Models(); let ok=0, bad=0, patched=0;
for (const name of listScripts()) {
  const script = readScript(name); let runner;
  const clock = () => (runner ? runner.micros / 1000 - 2*24*3600*1000 : 0);
  runner = new Runner({ transport: await createMemory({ clock, seed: 7 }), random: countingRandom(), models });
  try { await runner.run(script); ok++; } catch (e) { if (e.message.includes("PATCHED")) patched++; else { bad++; console.log("FAILED", name, (e.kind ?? "") + e.message.slice(0, 600), e.kind||!e.message.startsWith("line")?e.stack.split("\n").slice(1,4).join("|"):""); } }
}
console.log({ok,bad,patched}); models.end();
