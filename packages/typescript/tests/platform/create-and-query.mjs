// One create, one query and one error, in memory: node create-and-query.mjs PATH-OF-A-CLIENT-OF-YGGDRASIL
import { ConflictError, connect } from "monotable";

const { open } = await import(process.argv[2]);
const db = open({ memory: true });
const { UserId } = await db.User.create({ Email: "ann@example.com", PasswordHash: "correct horse" });
const found = await db.query.userByEmail({ Email: "Ann@example.com" });
let refused;
try {
  await db.User.create({ Email: "ann@example.com", PasswordHash: "another" });
} catch (error) {
  refused = error instanceof ConflictError && error.clash.claim;
}
console.log(JSON.stringify({ isSame: found.UserId === UserId, refused, entry: typeof connect }));
