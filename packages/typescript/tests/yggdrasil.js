// A client of models/yggdrasil, as a generated file would open it.
import { connect } from "monotable";
import { wholeCore } from "monotable/memory";
import { Models } from "./repository.js";

const outline = {
  entities: ["User", "Tree", "Person", "ParentChild", "Spousal", "TreeShare"],
  relations: ["ParentChild", "Spousal"],
  one: ["user_by_id", "user_by_email", "tree_by_id", "person_by_id"],
  list: ["trees_of_user", "persons_of_tree", "children_of_person", "whole_tree"],
  moves: ["transfer_tree"],
  transfers: ["transfer_tree"],
};

let compiled;
export async function compileYggdrasil() {
  if (!compiled) {
    const models = new Models();
    compiled = models.compile(models.read("yggdrasil")).finally(() => models.end());
  }
  return (await compiled).model;
}

export async function openYggdrasil(options) {
  // The core of tests can also verify whole tables.
  return connect(await compileYggdrasil(), outline, { retry: { base: 1, cap: 5 }, module: await wholeCore(), ...options });
}

/** A user with a tree, whose calls are those of the user. */
export async function plantTree(db, name = "Oak") {
  const { UserId } = await db.User.create({ Email: `${name}@example.com`, PasswordHash: "correct horse" });
  const owner = db.as({ UserId });
  const { TreeId } = await owner.Tree.create({ UserId, TreeName: name });
  return { owner, UserId, TreeId };
}
