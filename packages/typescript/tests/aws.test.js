// The AWS SDK as a transport: one attempt for each request, whatever the server does.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { aws } from "monotable";

const servers = [];
after(() => servers.forEach((server) => { server.closeAllConnections(); server.close(); }));

/** A client of a server that answers each request by the next of these functions, and the last one again and again. */
async function meet(...answers) {
  const seen = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      seen.push({ target: request.headers["x-amz-target"], body: Buffer.concat(chunks).toString() });
      const answer = answers[Math.min(seen.length, answers.length) - 1];
      answer(response, request);
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${server.address().port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  return { transport: aws(client), client, seen };
}

const say = (status, body, type = "application/x-amz-json-1.0") => (response) => {
  response.writeHead(status, { "content-type": type });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};
const exception = (name, more) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: "as it says", ...more });
const get = { TableName: "T", Key: { PK: { S: "a" } } };

test("an answer comes back as DynamoDB wrote it, bytes included", async () => {
  const Item = { PK: { S: "a" }, B: { B: "AP8=" }, BS: { BS: ["AQ=="] }, L: { L: [{ N: "0.1" }, { NULL: true }] }, M: { M: { B: { S: "no bytes" } } } };
  const { transport, seen } = await meet(say(200, { Item }));
  const input = { TableName: "T", Key: { PK: { B: "AP8=" } } };
  assert.deepEqual(await transport.send("GetItem", structuredClone(input), {}), { ok: { Item } });
  assert.equal(seen[0].target, "DynamoDB_20120810.GetItem");
  assert.deepEqual(JSON.parse(seen[0].body), input);
});

test("an error is one attempt, with its status and all that it says", async () => {
  for (const [status, name] of [[400, "ThrottlingException"], [400, "ProvisionedThroughputExceededException"], [500, "InternalServerError"]]) {
    const { transport, seen } = await meet(say(status, exception(name)));
    const answer = await transport.send("GetItem", structuredClone(get), {});
    assert.equal(answer.status, status);
    assert.equal(answer.error.__type, name);
    assert.equal(seen.length, 1, `${name} was tried once`);
  }
});

test("reasons of a cancelled transaction and the item of a failed condition arrive", async () => {
  const reasons = [{ Code: "None" }, { Code: "ConditionalCheckFailed", Message: "no", Item: { PK: { S: "a" }, B: { B: "AP8=" } } }];
  const cancelled = await meet(say(400, exception("TransactionCanceledException", { CancellationReasons: reasons })));
  const answer = await cancelled.transport.send("TransactWriteItems", { TransactItems: [] }, {});
  assert.deepEqual(answer.error.CancellationReasons, reasons);
  const failed = await meet(say(400, exception("ConditionalCheckFailedException", { Item: { PK: { S: "a" } } })));
  assert.deepEqual((await failed.transport.send("PutItem", { TableName: "T", Item: {} }, {})).error.Item, { PK: { S: "a" } });
});

test("a reset and half an answer are lost answers, tried once", async () => {
  const half = (response) => {
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": "1000" });
    response.write('{"Item": {');
    setTimeout(() => response.destroy(), 5);
  };
  for (const fault of [(response) => response.destroy(), half]) {
    const { transport, seen } = await meet(fault);
    const answer = await transport.send("GetItem", structuredClone(get), {});
    assert.equal(typeof answer.lost, "string", JSON.stringify(answer));
    assert.equal(seen.length, 1);
  }
});

test("what is no answer of DynamoDB is a lost answer, whatever its status", async () => {
  const cut = (response) => {
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0", "content-length": "1000" });
    response.write('{"__type": ');
    setTimeout(() => response.destroy(), 5);
  };
  for (const fault of [say(503, "<html>busy</html>", "text/html"), cut]) {
    const { transport } = await meet(fault);
    const answer = await transport.send("GetItem", structuredClone(get), {});
    assert.equal(typeof answer.lost, "string", JSON.stringify(answer));
  }
});

test("without credentials nothing leaves", async () => {
  const { seen } = await meet(say(200, {}));
  const credentials = async () => { throw new Error("no credentials here"); };
  const client = new DynamoDBClient({ endpoint: "http://127.0.0.1:9", region: "us-east-1", credentials });
  const answer = await aws(client).send("GetItem", structuredClone(get), {});
  assert.match(answer.unsent, /no credentials here/);
  assert.equal(seen.length, 0);
});

test("a signal ends a request that hangs", async () => {
  const { transport } = await meet(() => {});
  const signal = AbortSignal.timeout(20);
  await assert.rejects(transport.send("GetItem", structuredClone(get), { signal }), (error) => error === signal.reason);
});

test("the client keeps its own retries for everybody else", async () => {
  const { GetItemCommand } = await import("@aws-sdk/client-dynamodb");
  const { transport, client, seen } = await meet(say(500, exception("InternalServerError")), say(500, exception("InternalServerError")), say(200, {}));
  assert.equal((await transport.send("GetItem", structuredClone(get), {})).status, 500);
  await client.send(new GetItemCommand(get));
  assert.equal(seen.length, 3, "one attempt of ours, two of the client's own call");
});
