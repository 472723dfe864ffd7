// Faults between the SDK and the server, at random: nothing acknowledged is missing, and everything fits the model.
import assert from "node:assert/strict";
import { createServer, request as httpRequest } from "node:http";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { MonotableError } from "monotable";
import { startServer } from "./repository.js";
import { openYggdrasil, plantTree } from "./yggdrasil.js";

const seed = Number(process.env.MONOTABLE_SEED ?? 7);
const rounds = Number(process.env.MONOTABLE_ROUNDS ?? 40);

/** Numbers from 0 to 1 that follow from the seed. */
function makeChance(from) {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A proxy that throttles, resets before and after the server has done its work, and cuts answers in halves. */
async function startProxy(endpoint, chance, part) {
  const upstream = new URL(endpoint);
  const faults = { throttled: 0, unsent: 0, lost: 0, cut: 0 };
  const proxy = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const drawn = chance() / part();
      if (drawn < 0.25) {
        faults.throttled += 1;
        response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
        response.end(JSON.stringify({ __type: "com.amazonaws.dynamodb.v20120810#ThrottlingException", message: "slow down" }));
        return;
      }
      if (drawn < 0.5) {
        faults.unsent += 1;
        request.socket.destroy();
        return;
      }
      const { method, url, headers } = request;
      const passed = httpRequest({ host: upstream.hostname, port: upstream.port, method, path: url, headers }, (answer) => {
        const body = [];
        answer.on("data", (chunk) => body.push(chunk));
        answer.on("end", () => {
          if (drawn < 0.75) {
            faults.lost += 1;
            request.socket.destroy();
          } else if (drawn < 1) {
            faults.cut += 1;
            response.writeHead(answer.statusCode, answer.headers);
            response.write(Buffer.concat(body).subarray(0, 1));
            setTimeout(() => response.destroy(), 1);
          } else {
            response.writeHead(answer.statusCode, answer.headers);
            response.end(Buffer.concat(body));
          }
        });
      });
      passed.on("error", () => request.socket.destroy());
      passed.end(Buffer.concat(chunks));
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { proxy, faults, endpoint: `http://127.0.0.1:${proxy.address().port}` };
}

let server;
before(async () => { server = await startServer(); });
after(() => server?.stop());

test(`nothing acknowledged is missing (MONOTABLE_SEED=${seed})`, async () => {
  const chance = makeChance(seed);
  let part = 0;
  const { proxy, faults, endpoint } = await startProxy(server.endpoint, chance, () => part);
  const open = (url) => openYggdrasil({
    client: new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } }),
    retry: { attempts: 4, base: 1, cap: 5 },
  });
  const db = await open(endpoint);
  await db.call({ setup: {} });
  const { owner, UserId, TreeId } = await plantTree(db);
  part = 0.4;
  const acknowledged = new Map();
  const doubtful = new Set();
  const failures = { sure: 0, unsure: 0 };
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: 4 }, async (_, lane) => {
      const PersonId = `p${lane}-${Math.floor(chance() * 8)}`;
      const key = { UserId, PersonId };
      const values = { ...key, TreeId, FirstName: `n${round}`, LastName: "Oak", Gender: "Other" };
      const drawn = chance();
      const [call, result] = drawn < 0.5 ? [owner.Person.put(values), values.FirstName]
        : drawn < 0.8 ? [owner.Person.update(key, { FirstName: values.FirstName }), values.FirstName]
          : [owner.Person.delete(key), undefined];
      try {
        await call;
        acknowledged.set(PersonId, result);
        doubtful.delete(PersonId);
      } catch (error) {
        if (!(error instanceof MonotableError)) throw error;
        failures[error.unsure ? "unsure" : "sure"] += 1;
        if (error.unsure) doubtful.add(PersonId);
        else assert.ok(["NotFound", "Retryable"].includes(error.kind), String(error));
      }
    }));
  }
  part = 0;
  for (const [fault, count] of Object.entries(faults)) assert.ok(count > 0, `no request was ${fault}`);
  assert.ok(acknowledged.size > 0);
  const direct = (await open(server.endpoint)).as({ UserId });
  for (const [PersonId, FirstName] of acknowledged) {
    if (doubtful.has(PersonId)) continue;
    const found = await direct.Person.get({ UserId, PersonId }, { consistent: true });
    assert.equal(found?.FirstName, FirstName, PersonId);
  }
  const { violations } = await db.call({ verify: {} });
  assert.deepEqual(violations, []);
  proxy.closeAllConnections();
  proxy.close();
});
