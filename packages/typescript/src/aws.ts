// The program's own client of the AWS SDK, with exactly one attempt for each request: the core decides about the next one.
import {
  BatchGetItemCommand, BatchWriteItemCommand, DeleteItemCommand, GetItemCommand, PutItemCommand, QueryCommand, ScanCommand,
  TransactGetItemsCommand, TransactWriteItemsCommand, UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { AwsClient, Transport } from "./types.js";
import { fromWire, toWire } from "./wire.js";

type Handler = (args: unknown) => Promise<unknown>;
type CommandClass = new (input: any) => { middlewareStack: any };

/** What calls on rows send. Everything else, such as making tables, is looked up when it is asked for. */
const commands: Record<string, CommandClass> = {
  BatchGetItem: BatchGetItemCommand, BatchWriteItem: BatchWriteItemCommand, DeleteItem: DeleteItemCommand,
  GetItem: GetItemCommand, PutItem: PutItemCommand, Query: QueryCommand, Scan: ScanCommand,
  TransactGetItems: TransactGetItemsCommand, TransactWriteItems: TransactWriteItemsCommand, UpdateItem: UpdateItemCommand,
};

async function findCommand(operation: string): Promise<CommandClass> {
  const known = commands[operation];
  if (known) return known;
  const all = (await import("@aws-sdk/client-dynamodb")) as unknown as Record<string, CommandClass>;
  return all[`${operation}Command`]!;
}

export function aws(client: AwsClient): Transport {
  return {
    async send(operation, input, { signal }) {
      const command = new (commands[operation] ?? (await findCommand(operation)))(fromWire(input));
      let [sent, failed] = [false, undefined as any];
      // Inside the SDK's retries: an attempt that failed looks like a success to them, so they end. The client keeps its
      // credentials, signing, clock correction, endpoint, middleware and tracing, and its `maxAttempts` for everybody else.
      const once = (next: Handler) => async (args: unknown) => {
        try {
          return await next(args);
        } catch (error) {
          failed = error;
          return { output: {} };
        }
      };
      const leaving = (next: Handler) => (args: unknown) => {
        sent = true;
        return next(args);
      };
      command.middlewareStack.addRelativeTo(once, { name: "monotableOnce", relation: "after", toMiddleware: "retryMiddleware" });
      command.middlewareStack.add(leaving, { name: "monotableSent", step: "deserialize", priority: "low" });
      try {
        const { $metadata, ...ok } = await client.send(command, { abortSignal: signal });
        if (!failed) return { ok: toWire(ok) };
      } catch (error) {
        failed ??= error;                           // before the retries: no credentials, no region
      }
      signal?.throwIfAborted();
      const { name, message, Item, CancellationReasons, $metadata, $fault } = failed;
      if ($metadata?.clockSkewCorrected) return { again: true };
      // DynamoDB's own error, which the core knows. What could not be read, such as half an answer, has a status but no fault.
      if ($fault !== undefined && $metadata?.httpStatusCode >= 400) {
        return { status: $metadata.httpStatusCode, error: toWire({ __type: name, message, Item, CancellationReasons }) };
      }
      return sent ? { lost: String(message) } : { unsent: String(message) };
    },
  };
}
