// As a worker at an edge: nothing is compiled at run time. node --import ./worker-modules.mjs -C workerd worker.mjs CLIENT ENDPOINT REGION
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

for (const name of ["compile", "compileStreaming"]) {
  WebAssembly[name] = () => { throw new Error("a worker compiles nothing"); };
}
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (module, imports) => {
  if (!(module instanceof WebAssembly.Module)) throw new Error("a worker compiles nothing");
  return instantiate(module, imports);
};

const [, , path, endpoint, region] = process.argv;
const { open } = await import(path);
const credentials = { accessKeyId: "a", secretAccessKey: "b" };
const client = new DynamoDBClient({ endpoint, region, credentials });
const db = open({ client });
await db.call({ setup: {} });
const { UserId } = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
const found = await db.query.userByEmail({ Email: "ann@example.com" });
console.log(JSON.stringify({ isSame: found.UserId === UserId, entry: import.meta.resolve("monotable").split("/").pop() }));
client.destroy();
