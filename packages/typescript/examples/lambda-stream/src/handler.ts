// A Lambda function behind the stream of the table: it tells another system what happened to documents.
import type { DocumentActivity, Formkiq } from "./db.js";

type Event = Parameters<Formkiq.Global["changes"]>[0];

export interface Notice { site: string; document: string; what: DocumentActivity["type"]; who: string }

/** The handler over a client. A program makes it once, outside of the function: `await db.ready` there is paid in the init phase. */
export function makeHandler(db: Formkiq.Global, tell: (notice: Notice) => Promise<void>) {
  return async (event: Event): Promise<void> => {
    for (const { is, after, tenant } of await db.changes(event)) {
      // An activity is written once and never changes; its end by the table's time to live is nobody's business.
      if (is !== "create" || after?.$entity !== "DocumentActivity") continue;
      await tell({ site: tenant ?? after.siteId, document: after.documentId, what: after.type, who: after.userId });
    }
  };
}
