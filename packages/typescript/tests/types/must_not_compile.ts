// Each marked line has an error. `tsc` fails where a mark has none: what must not compile does not.
import { add, append } from "monotable";
import type { Authorization } from "../generated/authorization.js";
import type { Formkiq } from "../generated/formkiq.js";
import type { Processproof } from "../generated/processproof.js";
import type { Values } from "../generated/values.js";
import { open, type Person, type Yggdrasil } from "../generated/yggdrasil.js";

declare const db: Yggdrasil;
declare const sites: Formkiq.Global;
declare const site: Formkiq;
declare const values: Values;
declare const tenants: Authorization;
declare const resources: Processproof;
declare const person: Person;
const place = { UserId: "u", TreeId: "t", LastName: "Oak" } as const;
const key = { UserId: "u", TreeId: "t" };

// ---- what is required
// @ts-expect-error FirstName and Gender are missing
db.Person.create({ ...place });
// @ts-expect-error a key of two attributes needs both
db.Tree.get({ UserId: "u" });
// @ts-expect-error a pattern needs its parameter
db.query.personsOfTree({});
// @ts-expect-error a move needs to know where to
db.move.transferTree(key);

// @ts-expect-error a hash says how it was made
db.User.create({ Email: "a@b.c", PasswordHash: { sha: "0" } });
// @ts-expect-error a purge needs an owner
values.purge({});

// ---- what is not there
// @ts-expect-error the model does not say what an owner has
db.purge({ UserId: "u" });
// @ts-expect-error the store hashes it, and no row has it
String((await db.User.getOrThrow({ UserId: "u" })).PasswordHash);
// @ts-expect-error an internal attribute is in no row
String((await db.Tree.getOrThrow(key)).PersonSeq);
// @ts-expect-error a counter is kept by the store
db.Tree.create({ UserId: "u", TreeName: "Oak", PersonCount: 3 });
// @ts-expect-error the store says when a row was made
db.Tree.create({ UserId: "u", TreeName: "Oak", CreatedAt: new Date() });
// @ts-expect-error relations are attached, not created
db.ParentChild.create({ ...place, ParentId: "a", ChildId: "b", Type: "Step" });
// @ts-expect-error rows that the store keeps are not written by callers
db.TreeShare.delete({ SharedUserId: "u", TreeId: "t" });
// @ts-expect-error rows of a repository change by commits only
values.ValuesNode.create({ nodeType: "DRIVER", title: "Health" });
// @ts-expect-error a relation that is only made and deleted has no update
resources.ParentChildRelationship.update({ parentUrn: "a", childUrn: "b" }, {});
// @ts-expect-error an attribute of the model's own spelling only
db.Tree.create({ UserId: "u", treeName: "Oak", TreeName: "Oak" });

// ---- what does not fit
// @ts-expect-error no such word
db.Person.create({ ...place, FirstName: "Ann", Gender: "Robot" });
// @ts-expect-error a required attribute cannot be removed
db.Tree.update(key, { TreeName: null });
// @ts-expect-error an attribute of the key never changes
db.Person.update({ UserId: "u", PersonId: "p" }, { PersonId: "q" });
// @ts-expect-error a number is added to numbers only
db.Tree.update(key, { TreeName: add(1) });
// @ts-expect-error elements of a list are texts
db.Tree.update(key, { SharedWith: append(7) });
// @ts-expect-error a day is no Date: it has no day without a time zone
db.Person.update({ UserId: "u", PersonId: "p" }, { BirthDate: new Date() });
// @ts-expect-error a row is expected to have values of its own types
db.Tree.update(key, { TreeName: "Ash" }, { expecting: { IsPublic: "yes" } });
// @ts-expect-error only hashed attributes are held against a text
db.User.checkSecret({ UserId: "u" }, "Email", "x");
// @ts-expect-error the caller is known by UserId
db.as({ userId: "u" });
// @ts-expect-error no such setting
open({ memory: true, settings: { auth: "ldap" } });
// @ts-expect-error no such table
open({ memory: true, tables: { Ygdrasil: "x" } });

// ---- transactions, tenants, mixed rows
// @ts-expect-error a read is no write
db.transact([db.Person.get({ UserId: "u", PersonId: "p" })]);
// @ts-expect-error a move is a transaction of its own
db.transact([db.move.transferTree(key, { UserId: "v" })]);
// @ts-expect-error a tenant comes first
sites.Document.create({});
// @ts-expect-error this pattern needs a tenant
sites.query.documentsOfDay({ inserteddate: "2025-11-18" });
// @ts-expect-error the store says who made a workflow
site.Workflow.create({ name: "w", status: "ACTIVE", userId: "u" });
// @ts-expect-error a claim of another model
tenants.query satisfies Yggdrasil.Claim;
// @ts-expect-error no such claim
"User.Name" satisfies Yggdrasil.Claim;
for await (const row of db.query.wholeTree({ TreeId: "t" })) {
  // @ts-expect-error which entity it is was not asked
  String(row.FirstName);
  // @ts-expect-error users are not among these rows
  if (row.$entity === "User") break;
}
// @ts-expect-error nothing is followed here
String((await db.query.personById({ PersonId: "p" }))?.$followed);
// @ts-expect-error an optional attribute may be absent
person.BirthDate satisfies string;
const commit = values.repository.values({ userId: "u" }).commit({ message: "m", source: "completion" });
// @ts-expect-error the repository of plans has other rows
commit.PlanTodo;
// @ts-expect-error in a commit a row is named without user and revision
commit.ValuesNode.delete({ userId: "u", revId: "r" });
// @ts-expect-error a commit says where it comes from
values.repository.values({ userId: "u" }).commit({ message: "m" });
