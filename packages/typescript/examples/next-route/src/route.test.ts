import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./db.js";
import { makeRoute } from "./route.js";

test("persons are made and listed, by their owner alone", async () => {
  const db = open({ memory: true });
  const { UserId } = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  const { TreeId } = await db.as({ UserId }).Tree.create({ UserId, TreeName: "Oak" });
  const { GET, POST } = makeRoute(db, async (request) => ({ userId: request.headers.get("user") ?? "" }));
  const route = { params: Promise.resolve({ treeId: TreeId }) };
  const url = `http://localhost/api/trees/${TreeId}/persons`;
  const post = (body: object, user = UserId) =>
    POST(new Request(url, { method: "POST", headers: { user }, body: JSON.stringify(body) }), route);

  const ann = await post({ firstName: "Ann", lastName: "Oak" });
  assert.equal(ann.status, 201);
  const { PersonId } = (await ann.json()) as { PersonId: string };
  for (const firstName of ["Bea", "Cid"]) {
    assert.equal((await post({ firstName, lastName: "Oak", parentId: PersonId })).status, 201);
  }
  assert.equal((await post({ firstName: "", lastName: "Oak" })).status, 422);
  assert.equal((await post({ firstName: "Eve", lastName: "Oak" }, "eve")).status, 404);

  const page = async (query = "") => (await GET(new Request(url + query, { headers: { user: UserId } }), route)).json();
  const first = (await page()) as { persons: object[]; next: string };
  assert.equal(first.persons.length, 2);
  const second = (await page(`?after=${encodeURIComponent(first.next)}`)) as { persons: object[]; next?: string };
  assert.equal(second.persons.length, 1);
});
