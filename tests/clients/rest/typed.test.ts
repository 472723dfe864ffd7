// The types that the generator makes of the document: what does not fit the model does not compile.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import createClient from "openapi-fetch";
import type { paths } from "./yggdrasil.js";
import { Server } from "./server.js";

let server: Server;
before(async () => {
  server = await Server.start("yggdrasil");
});
after(() => server.stop());

test("rows are typed, and conflicts name their declaration", async () => {
  const client = createClient<paths, "application/json">({ baseUrl: server.url });
  const ann = await client.POST("/entities/User", {
    body: { UserId: "ann", Email: "ann@example.com", PasswordHash: "correct horse" },
  });
  assert.equal(ann.response.status, 201);
  assert.equal(ann.data?.UserId, "ann");
  const taken = await client.POST("/entities/User", {
    body: { Email: "ANN@example.com", PasswordHash: "correct horse" },
  });
  assert.equal(taken.response.status, 409);
  const tree = await client.PUT("/entities/Tree/{UserId}/{TreeId}", {
    params: { path: { UserId: "ann", TreeId: "oak" } },
    body: { TreeName: "Oak" },
  });
  assert.equal(tree.data?.TreeName, "Oak");
  await client.POST("/entities/Person", {
    body: { UserId: "ann", TreeId: "oak", FirstName: "Eve", LastName: "Oak", Gender: "Female" },
  });
  // @ts-expect-error Gender is one of the words of the model.
  await client.POST("/entities/Person", { body: { UserId: "ann", TreeId: "oak", FirstName: "Eve", LastName: "Oak", Gender: "x" } });
  // @ts-expect-error A person has a tree.
  await client.POST("/entities/Person", { body: { UserId: "ann", FirstName: "Eve", LastName: "Oak", Gender: "Female" } });
  const page = await client.GET("/patterns/persons_of_tree", { params: { query: { TreeId: "oak", limit: 5 } } });
  assert.deepEqual(page.data?.rows.map((person) => person.FirstName), ["Eve"]);
  const tag = tree.response.headers.get("etag")!;
  const changed = await client.PATCH("/entities/Tree/{UserId}/{TreeId}", {
    params: { path: { UserId: "ann", TreeId: "oak" }, header: { "If-Match": tag } },
    body: { Description: "old" },
    headers: { "content-type": "application/merge-patch+json" },
  });
  // A person was added since, and the tree counts them.
  assert.equal(changed.response.status, 412);
});
