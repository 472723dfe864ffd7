// One create, one query and one error, in memory, with a client that bundlers see. In a browser the server of the page is told.
import { ConflictError, connect } from "monotable";
import { createMemory } from "monotable/memory";
import { open } from "./yggdrasil.mjs";

async function createAndQuery() {
  const db = open({ transport: await createMemory() });
  await db.call({ setup: {} });
  const { UserId } = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
  const found = await db.query.userByEmail({ Email: "Ann@example.com" });
  let refused;
  try {
    await db.User.create({ Email: "ann@example.com", PasswordHash: "another" });
  } catch (error) {
    refused = error instanceof ConflictError && error.clash.claim;
  }
  return { isSame: found.UserId === UserId, refused, entry: typeof connect };
}

const said = JSON.stringify(await createAndQuery().catch((error) => ({ error: String(error) })));
if (globalThis.document) await fetch("/said", { method: "POST", body: said });
else console.log(said);
