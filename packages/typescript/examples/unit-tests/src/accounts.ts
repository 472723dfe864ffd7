// What a program does with accounts.
import { ConflictError } from "monotable";
import type { Yggdrasil } from "./db.js";

export async function register(db: Yggdrasil, email: string, password: string): Promise<string> {
  try {
    const user = await db.User.create({ Email: email, PasswordHash: password }); // hashed, and never in an answer again
    return user.UserId;
  } catch (error) {
    const taken = "User.Email" satisfies Yggdrasil.Claim;
    if (error instanceof ConflictError && error.clash.is === "unique" && error.clash.claim === taken) {
      throw new Error("There is an account with this address.", { cause: error });
    }
    throw error;
  }
}

export async function login(db: Yggdrasil, email: string, password: string): Promise<string | undefined> {
  const user = await db.query.userByEmail({ Email: email });
  const key = { UserId: user?.UserId ?? "nobody" };     // nobody takes as long as somebody
  return (await db.User.checkSecret(key, "PasswordHash", password)) ? user?.UserId : undefined;
}
