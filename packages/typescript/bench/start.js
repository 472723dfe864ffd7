// Prints the CPU time from import to ready, in milliseconds; the model comes on stdin.
import { readFileSync } from "node:fs";

const model = readFileSync(0, "utf8");
const before = process.cpuUsage();
const { connect } = await import("monotable/bare");
await connect(model, { entities: [] }, { transport: { send: async () => ({ unsent: "nothing is sent here" }) } }).ready;
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
