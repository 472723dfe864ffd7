// What a team writes over the generated clients: all of it compiles.
import { ConflictError, append, type Call, type Listing } from "monotable";
import type { Formkiq } from "../generated/formkiq.js";
import type { Values } from "../generated/values.js";
import type { Person, Tree, Yggdrasil } from "../generated/yggdrasil.js";

export async function share(db: Yggdrasil, key: Tree.Key, user: string): Promise<Tree> {
  return db.Tree.update(key, { SharedWith: append(user), Description: null }, { token: "once" });
}

export async function family(db: Yggdrasil, TreeId: string): Promise<{ persons: Person[]; links: number }> {
  const persons: Person[] = [];
  let links = 0;
  for await (const row of db.query.wholeTree({ TreeId })) {
    switch (row.$entity) {
      case "Tree": break;
      case "Person": persons.push(row); break;
      case "ParentChild": links += row.Type === "Biological" ? 1 : 0; break;
      case "Spousal": links += row.Status === "Married" ? 1 : 0; break;
      default: row satisfies never;
    }
  }
  return { persons, links };
}

export async function plant(db: Yggdrasil, UserId: string): Promise<[string, string | undefined]> {
  const { TreeId } = await db.Tree.create({ UserId, TreeName: "Oak" });
  const place = { UserId, TreeId, LastName: "Oak", Gender: "Female" } as const;
  const [ann, bea] = await db.transact([
    db.Person.create({ ...place, FirstName: "Ann" }),
    db.Person.create({ ...place, FirstName: "Bea", BirthDate: "1980-02-29", Biography: null }),
  ]);
  await db.ParentChild.attach({ UserId, TreeId, ParentId: ann.PersonId, ChildId: bea.PersonId, Type: "Biological" });
  const child = await db.query.childrenOfPerson({ UserId, ParentId: ann.PersonId }).first();
  return [ann.PersonId, child?.$followed.ChildId?.FirstName];
}

export function isTaken(error: unknown): boolean {
  const email: Yggdrasil.Claim = "User.Email";
  return error instanceof ConflictError && error.clash.is === "unique" && error.clash.claim === email;
}

export async function plan(db: Values): Promise<string[]> {
  const tree = db.repository.values({ userId: "ada" });
  const commit = tree.commit({ message: "sleep", source: "daily_update" }, { parent: { rebase: "r1" } });
  commit.ValuesNode.create({ nodeType: "DRIVER", title: "Health" });
  commit.ValuesNode.update({ nodeId: "a2" }, { title: "Sleep eight hours", notes: null });
  commit.ValuesEdge.delete({ parentNodeId: "d1", childNodeId: "a2" });
  const { revisions } = await commit;
  await db.carry.rollover({ userId: "ada", date: "2025-11-18" });
  const { rows } = await tree.at({ time: new Date(0) }).show();
  return [...revisions.map((revision) => revision.revId), ...rows.map((row) => row.$entity)];
}

export async function sites(global: Formkiq.Global, siteId: string): Promise<string | undefined> {
  const db = global.tenant(siteId).as({ username: "ada" });
  const { documentId } = await db.Document.create({ path: "a/b", "md#color": "red" });
  const deleted = await db.move.softDelete({ documentId });
  await db.move.restore({ documentId: deleted.documentId });
  const found: Listing<{ title: string }> = global.query.sites();
  for await (const site of found) return site.title;
  const one: Call<{ status: string } | undefined> = global.query.site({ siteId });
  return (await one)?.status;
}
