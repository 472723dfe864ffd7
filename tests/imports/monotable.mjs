// What the tests have in common: the command line of Monotable, and raw items of the server.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";

const program = process.env.MONOTABLE;
const samples = process.env.MONOTABLE_SAMPLES;
const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;

export const client = new DynamoDBClient({
  endpoint,
  region: "eu-north-1",
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
});
export const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

export const sample = (name) => join(samples, name);

/** Imports a schema, makes its table and gives back what runs commands on it. */
export function importSchema(file, table) {
  const model = join(mkdtempSync(join(tmpdir(), "monotable-import-")), "model.toml");
  execFileSync(program, ["import", sample(file), "--table", table, "--out", model], { stdio: ["ignore", "ignore", "ignore"] });
  execFileSync(program, ["check", model], { stdio: ["ignore", "ignore", "pipe"] });
  const run = (command, ...rest) => {
    const options = ["-m", model, "--endpoint-url", endpoint];
    const env = { ...process.env, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-north-1" };
    const printed = execFileSync(program, [command, ...options, ...rest], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
    return printed;
  };
  run("setup");
  return {
    get: (entity, key) => JSON.parse(run("get", "--output", "json", entity, JSON.stringify(key))),
    create: (entity, values) => JSON.parse(run("create", "--output", "json", entity, JSON.stringify(values))),
    query: (pattern, parameters) => {
      const lines = run("query", "--all", "--output", "jsonl", pattern, JSON.stringify(parameters)).split("\n");
      return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    },
    remove: (entity, key) => run("delete", "--yes", entity, JSON.stringify(key)),
    // Throws if a row contradicts the model.
    verify: () => run("verify"),
  };
}

/** The items of a table as they are stored, without the store's own. */
export async function items(table) {
  const found = await documents.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
  return found.Items.filter((item) => !Object.values(item).some((value) => value === "monotable#store"));
}
