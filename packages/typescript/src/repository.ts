// Versioned rows: a handle for one head, and commits that collect changes.
import { LazyListing, checkCount, isDescending, readPage, takePart } from "./call.js";
import type { LazyCall } from "./call.js";
import type { Scope } from "./client.js";
import { usageError } from "./errors.js";
import type { At, CallOptions, CommitOptions, Differences, ListOptions, Parent, Snapshot, Time, WriteOptions } from "./types.js";
import { checkText, encodeChange, encodeItem, encodeTime } from "./values.js";

const timeText = (time: Time) => (time instanceof Date ? encodeTime(time, "time") : checkText(time, "time"));

function encodeAt(at?: At): string | object {
  if (at === undefined) return "head";
  return "revision" in at ? { revision: checkText(at.revision, "revision") } : { time: timeText(at.time) };
}

/** Without the id of a revision no parent would be asked for, and what others have committed would be built upon unseen. */
function encodeParent(parent?: Parent): object {
  if (parent === undefined) return {};
  if ("first" in parent) return { parent: null };
  return "is" in parent ? { parent: checkText(parent.is, "parent.is") } : { rebase: checkText(parent.rebase, "parent.rebase") };
}

/** A repository, read at its head. */
export function makeRepository(scope: Scope, name: string, entities: readonly string[], head: object): object {
  const key = encodeItem(head);
  const call = <T>(verb: string, operation: object, options: object | undefined, read: (done: any) => T) =>
    scope.call(`repository.${name}.${verb}`, { [verb]: name, key, ...operation }, options, read);
  const view = (at?: At) => ({
    show: ({ buried, ...options }: CallOptions & { buried?: boolean } = {}) =>
      call("show", { at: encodeAt(at), with_tombstones: buried ?? false }, options, (done) => readSnapshot(scope, done)),
    children: (id: string) =>
      call("show", { at: encodeAt(at), under: id }, undefined, (done) => readSnapshot(scope, done)),
    diff: (to: At) =>
      call("diff", { from: encodeAt(at), to: encodeAt(to) }, undefined, (done) => readDifferences(scope, done)),
  });
  return {
    ...view(),
    at: view,
    log: ({ limit, after, order = "desc", ...options }: ListOptions = {}) => {
      if (limit !== undefined) checkCount(limit, "limit", 1);
      const operation = { log: name, key, limit, after, oldest_first: !isDescending(order) };
      return new LazyListing(scope.connection,
        scope.ask(`repository.${name}.log`, operation, options, (page) => readPage(page, scope.readRow)));
    },
    commit: (says?: object, options?: CommitOptions) => makeCommit(scope, name, entities, key, says ?? {}, options ?? {}),
    rollback: (to: string, { from, ...options }: CallOptions & { from?: string } = {}) =>
      call("rollback", { to, ...(from === undefined ? {} : { from }) }, options, scope.readRow),
    revert: (to: At, says?: object, { parent, ...options }: CallOptions & { parent?: Parent } = {}) =>
      call("revert", { to: encodeAt(to), values: encodeItem(says ?? {}), ...encodeParent(parent) }, options,
        (done) => readCommitted(scope, done)),
    sweep: ({ olderThanSeconds }: { olderThanSeconds: number }) =>
      call("sweep", { older_than: olderThanSeconds }, undefined, (done) => done),
  };
}

/** A commit: changes are noted in it until it is awaited. */
function makeCommit(
  scope: Scope, name: string, entities: readonly string[], key: object, says: object, { parent, ...options }: CommitOptions,
): object {
  const changes: object[] = [];
  const operation = { commit: name, key, values: encodeItem(says), ...encodeParent(parent), changes };
  const commit = scope.call(`repository.${name}.commit`, operation, options, (done) => readCommitted(scope, done));
  const note = (change: object) => {
    if (commit.isMade) throw usageError("this commit was made already: a change that is noted now would be lost");
    changes.push(change);
  };
  const noted = entities.map((entity) => [entity, {
    create: (values: object) => note({ create: entity, values: encodeItem(values) }),
    put: (values: object) => note({ put: entity, values: encodeItem(values) }),
    update: (id: object, change: object) => note({ update: entity, key: encodeItem(id), ...encodeChange(change) }),
    delete: (id: object) => note({ delete: entity, key: encodeItem(id) }),
  }]);
  return Object.assign(commit, Object.fromEntries(noted));
}

/** New revisions of several repositories, all or none. */
export function commitAll(scope: Scope, commits: readonly unknown[], options?: WriteOptions): LazyCall<unknown> {
  const operations = commits.map((commit) => {
    const { operation } = takePart(scope, "commitAll", commit).asked;
    if (!("commit" in operation)) throw usageError("commitAll takes commits that were not awaited");
    return operation;
  });
  return scope.call("commitAll", { commit_all: operations }, options, (done) => readCommitted(scope, done));
}

export function readCommitted(scope: Scope, done: any): { revisions: unknown[]; warnings: string[] } {
  return { revisions: done.revisions.map(scope.readRow), warnings: done.warnings ?? [] };
}

function readSnapshot(scope: Scope, done: any): Snapshot<any> {
  return { ...done, rows: done.rows.map(scope.readRow) };
}

/** Each difference says what it is: the core has that as the name of its only member. */
export function readDifferences(scope: Scope, done: any): Differences<any> {
  const { readRow } = scope;
  const rows = done.rows.map((difference: object) => {
    const [is, told] = Object.entries(difference)[0]! as [string, any];
    if (is === "added" || is === "removed") return { is, row: readRow(told) };
    const { before, after, ...others } = told;
    return { is, before: readRow(before), row: readRow(after), ...others };
  });
  return { from: done.from, to: done.to, rows };
}

/** The rows that relations connect and none leads to: where a tree begins. */
export function roots<Row>(snapshot: Snapshot<Row>): Row[] {
  const inside = new Set(snapshot.links.flatMap(({ by, to }) => [by, to]));
  return snapshot.rows.filter((_, position) => !inside.has(position));
}

/** The rows that lie below one, in order. */
export function childrenOf<Row>(snapshot: Snapshot<Row>, row: Row): Row[] {
  const position = snapshot.rows.indexOf(row);
  return snapshot.links.filter(({ from }) => from === position).map(({ to }) => snapshot.rows[to]!);
}
