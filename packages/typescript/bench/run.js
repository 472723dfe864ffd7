// Sizes, start, and the cost of a get: node bench/run.js [gets]
//
// All times are CPU time of this process or of a fresh one. The DynamoDB is a process that always gives the same item, so that
// the clients are measured and not it.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Fresh processes for each figure of a start. */
const STARTS = 15;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await main(Number(process.argv[2] ?? 2000));

async function main(gets) {
  const { compileYggdrasil, openYggdrasil } = await import("../tests/yggdrasil.js");
  const core = readFileSync(here("../dist/esm/core.wasm"));
  const memory = readFileSync(here("../../../target/wasm-modules/memory.wasm"));
  for (const [name, bytes] of [["core.wasm", core], ["memory.wasm", memory]]) {
    console.log(`${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
  }

  const model = await compileYggdrasil();
  for (const [name, compiled] of [["Yggdrasil", model], ["FormKiQ", readModel("formkiq")]]) {
    const starts = Array.from({ length: STARTS }, () => Number(execFileSync(process.execPath, [here("./start.js")], { input: compiled })));
    const all = starts.map((spent) => spent.toFixed(1)).join(" ");
    console.log(`from import to ready with ${name}: ${median(starts).toFixed(1)} ms of CPU time, the median of ${all}`);
  }

  const db = await openYggdrasil({ memory: true });
  const [request] = await db.User.create({ UserId: "ann", Email: "ann@example.com", PasswordHash: "correct horse" }).requests();
  const { Item } = request.input.TransactItems.map((action) => action.Put).find((put) => put?.Item.Email);
  const server = fork(here("./server.js"));
  server.send(JSON.stringify({ Item }));
  const [port] = await once(server, "message");

  const { DynamoDBClient, GetItemCommand } = await import("@aws-sdk/client-dynamodb");
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  const own = await openYggdrasil({ client });
  const electro = await openElectro(client);
  const ways = {
    "GetItem by hand": () => client.send(new GetItemCommand({ TableName: "Yggdrasil", Key: { PK: Item.PK, SK: Item.SK } })),
    "get of this package": () => own.User.get({ UserId: "ann" }),
    "get of ElectroDB": () => electro.get({ UserId: "ann" }).go(),
  };
  for (const way of Object.values(ways)) for (let n = 0; n < 300; n += 1) await way();
  // Rounds in turn, so that a slow moment of the machine hits all.
  const spent = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < 10; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const before = process.cpuUsage();
      for (let n = 0; n < gets / 10; n += 1) await way();
      const { user, system } = process.cpuUsage(before);
      spent[name].push((user + system) / (gets / 10));
    }
  }
  const byHand = median(spent["GetItem by hand"]);
  for (const [name, times] of Object.entries(spent)) {
    console.log(`${name}: ${median(times).toFixed(0)} us of CPU time, ${(median(times) / byHand).toFixed(2)}x`);
  }
  server.kill();
  client.destroy();
}

/** The compiled model of a generated client: its last line. */
function readModel(name) {
  const text = readFileSync(here(`../tests/generated/${name}.ts`), "utf8");
  return /^const model = "(.*)";$/m.exec(text)[1];
}

async function openElectro(client) {
  const { Entity } = await import("electrodb");
  return new Entity({
    model: { entity: "User", version: "1", service: "yggdrasil" },
    attributes: { UserId: { type: "string" }, Email: { type: "string" }, CreatedAt: { type: "string" }, UpdatedAt: { type: "string" } },
    indexes: { primary: {
      pk: { field: "PK", composite: ["UserId"], template: "USER#${UserId}" }, sk: { field: "SK", composite: [], template: "PROFILE" },
    } },
  }, { table: "Yggdrasil", client });
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
