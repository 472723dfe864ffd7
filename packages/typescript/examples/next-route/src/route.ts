// app/api/trees/[treeId]/persons/route.ts: the persons of a tree, and a new one.
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from "monotable";
import type { Yggdrasil } from "./db.js";

type Route = { params: Promise<{ treeId: string }> };

/** The handlers over a client. A program makes them once, with a client of its own. */
export function makeRoute(db: Yggdrasil, session: (request: Request) => Promise<{ userId: string }>) {
  /** The database as the caller may see it: rows of others do not exist, and writes to them are refused. */
  async function enter(request: Request): Promise<Yggdrasil> {
    const { userId } = await session(request);
    return db.as({ UserId: userId }).with({ source: "web", signal: request.signal });
  }

  async function GET(request: Request, { params }: Route): Promise<Response> {
    const { treeId } = await params;
    const after = new URL(request.url).searchParams.get("after") ?? undefined;
    return answer(async () => {
      const my = await enter(request);
      const { rows, cursor } = await my.query.personsOfTree({ TreeId: treeId }, { limit: 2, after });
      return Response.json({ persons: rows, next: cursor });
    });
  }

  async function POST(request: Request, { params }: Route): Promise<Response> {
    const { treeId } = await params;
    return answer(async () => {
      const my = await enter(request);
      const tree = await my.query.treeById({ TreeId: treeId });
      if (!tree) return Response.json({ message: "no such tree" }, { status: 404 });
      const { firstName, lastName, parentId } = (await request.json()) as Record<string, string>;
      const place = { UserId: tree.UserId, TreeId: tree.TreeId };
      const id = crypto.randomUUID();
      const person = my.Person.create({ ...place, PersonId: id, FirstName: firstName ?? "", LastName: lastName ?? "", Gender: "Unknown" });
      if (!parentId) return Response.json(await person, { status: 201 });
      // Nothing was sent yet: a call that is given to `transact` becomes a part of it.
      const link = my.ParentChild.attach({ ...place, ParentId: parentId, ChildId: id, Type: "Biological" });
      const [created] = await my.transact([person, link], { token: request.headers.get("idempotency-key") ?? undefined });
      return Response.json(created, { status: 201 });
    });
  }

  return { GET, POST };
}

/** What the model refuses, as HTTP says it. */
async function answer(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ValidationError) return Response.json({ problems: error.problems }, { status: 422 });
    if (error instanceof NotFoundError) return Response.json({ message: error.message }, { status: 404 });
    if (error instanceof ForbiddenError) return Response.json({ message: error.message }, { status: 403 });
    if (error instanceof ConflictError) return Response.json({ message: error.message, clash: error.clash }, { status: 409 });
    throw error;
  }
}
