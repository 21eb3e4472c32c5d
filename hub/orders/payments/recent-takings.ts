import type { Db } from "../../db/open.ts";
import { COUNTED_SESSION } from "../../db/rows/counted-session.ts";
import { HubError } from "../../platform/errors.ts";

/** When an order was paid, ms since 1970. */
interface Taking {
  at: number;
  posReference: string;
}

/** Lists orders paid in the present POS session, or in the last one if none is open, in pages, newest first. */
export function createRecentTakings(db: Db) {
  const page = db.prepare<Taking & { limit: number }, Taking>(`
    SELECT at, pos_reference AS posReference FROM takings
    WHERE session = ${COUNTED_SESSION} AND (at, pos_reference) < (@at, @posReference)
    ORDER BY at DESC, pos_reference DESC LIMIT @limit`);

  return {
    /** Reads a page; `cursor` is the `nextCursor` of the previous page. Throws VALIDATION_ERROR if it is malformed. */
    page(limit: number, cursor: string | undefined): { references: string[]; nextCursor: string | null } {
      const before = cursor === undefined ? { at: Number.MAX_SAFE_INTEGER, posReference: "" } : readPlace(cursor);
      const rows = page.all({ ...before, limit });
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        references: rows.map((row) => row.posReference),
        nextCursor: last === undefined ? null : cursorOf(last),
      };
    },
  };
}

function cursorOf({ at, posReference }: Taking): string {
  return Buffer.from(`${at} ${posReference}`).toString("base64url");
}

function readPlace(cursor: string): Taking {
  const [, at = "", posReference = ""] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at === "") throw new HubError("VALIDATION_ERROR", "cursor: does not come from this list");
  return { at: Number(at), posReference };
}
