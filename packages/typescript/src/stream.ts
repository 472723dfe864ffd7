// Records of a table's stream as changes of rows.
import type { Scope } from "./client.js";
import type { StreamChange, StreamRecord } from "./types.js";
import { toWire } from "./wire.js";

interface Parsed { row: any; tenant?: string }

async function parseAll(scope: Scope, images: { table?: string | undefined; item: object }[]): Promise<(Parsed | null)[]> {
  if (images.length === 0) return [];
  const parse = images.map(({ table, item }) => ({ table, item: toWire(structuredClone(item)) }));
  const { connection, state } = scope;
  const parsed = (await connection.call("parse", { parse }, {}, { signal: state.signal })) as (Parsed | null)[];
  for (const one of parsed) if (one) scope.readRow(one.row);
  return parsed;
}

/** An item as a row; undefined if it is a guard, or the model does not know it. */
export async function parseImage(scope: Scope, image: object, options?: { table?: string }): Promise<unknown> {
  const [parsed] = await parseAll(scope, [{ table: options?.table, item: image }]);
  return parsed?.row;
}

/** What the records of a stream say, in their order. */
export async function readChanges(scope: Scope, event: { Records: readonly StreamRecord[] }): Promise<StreamChange<any>[]> {
  const images = event.Records.flatMap((record) => {
    const table = tableOf(record);
    return [record.dynamodb?.OldImage, record.dynamodb?.NewImage].map((item) => item && { table, item });
  });
  const parsed = await parseAll(scope, images.filter((image) => image !== undefined));
  const next = (image: unknown) => (image === undefined ? undefined : (parsed.shift() ?? undefined));
  const changes: StreamChange<any>[] = [];
  event.Records.forEach((record, position) => {
    const [before, after] = [next(images[2 * position]), next(images[2 * position + 1])];
    if (!before && !after) return;
    const tenant = (after ?? before)!.tenant;
    changes.push({
      is: after ? (before ? "update" : "create") : isExpiry(record) ? "expire" : "delete",
      ...(before ? { before: before.row } : {}),
      ...(after ? { after: after.row } : {}),
      ...(tenant === undefined ? {} : { tenant }),
      record,
    });
  });
  return changes;
}

/** The table's name in DynamoDB, which the ARN of the stream has. */
const tableOf = (record: StreamRecord) => record.eventSourceARN?.split(":table/")[1]?.split("/")[0];

/** Deletes by the table's time to live are made by the service itself. */
function isExpiry(record: StreamRecord): boolean {
  const identity = record.userIdentity as { type?: string; principalId?: string; Type?: string; PrincipalId?: string } | undefined;
  return (identity?.type ?? identity?.Type) === "Service"
    && (identity?.principalId ?? identity?.PrincipalId) === "dynamodb.amazonaws.com";
}
