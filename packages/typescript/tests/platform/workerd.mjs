// A worker with a client for all of its requests, which is made while the worker starts, when nothing may be sent yet.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ConflictError, connect } from "monotable";
import { open } from "./yggdrasil.mjs";

// The bundler writes the endpoint here.
const client = new DynamoDBClient({ endpoint: ENDPOINT, region: "workerd", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
const db = open({ client });

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/setup") return Response.json(await db.call({ setup: {} }));
    const Email = `ann${pathname.slice(1)}@example.com`;
    const { UserId } = await db.User.create({ Email, PasswordHash: "correct horse" });
    const found = await db.query.userByEmail({ Email });
    let refused;
    try {
      await db.User.create({ Email, PasswordHash: "another" });
    } catch (error) {
      refused = error instanceof ConflictError && error.clash.claim;
    }
    return Response.json({ isSame: found.UserId === UserId, refused, entry: typeof connect });
  },
};
