import type { Db } from "../../db/open.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { readRow } from "../../db/rows/read-row.ts";

/** The record of a removed check. Its last content is the version before `version`. */
export interface RemovedOrder {
  version: number;
  origin: string;
  /** Free text that a user entered. */
  reason: string | null;
  /** The checks that its lines moved to; null if it was discarded. */
  mergedInto: readonly string[] | null;
  removedAt: number;
}

interface RemovedRow extends Omit<RemovedOrder, "mergedInto"> {
  mergedInto: string | null;
}

const REMOVAL = "version, origin, reason, merged_into AS mergedInto, removed_at AS removedAt";

/** SQL condition for discarded checks, excluding merged ones. */
export const IS_DISCARD = "merged_into IS NULL";

/** Stores the removals of checks. */
export function createRemovedOrders(db: Db) {
  const insertRemoved = db.prepare<RemovedRow & { posReference: string; seq: number }>(`
    INSERT INTO removed_orders (pos_reference, version, last_id, seq, origin, reason, merged_into, removed_at,
      search_text, check_number, table_id, order_type)
    SELECT @posReference, @version, body_id, @seq, @origin, @reason, @mergedInto, @removedAt, search_text, check_number,
      table_id, order_type
    FROM orders WHERE pos_reference = @posReference`);
  const getRemoval = db.prepare<[string], RemovedRow>(`SELECT ${REMOVAL} FROM removed_orders WHERE pos_reference = ?`);
  const getSeq = db.prepare<[string], number>("SELECT seq FROM removed_orders WHERE pos_reference = ?").pluck();
  const listRemovedSince = db.prepare<[number], RemovedRow & { posReference: string }>(`
    SELECT pos_reference AS posReference, ${REMOVAL} FROM removed_orders WHERE seq > ? ORDER BY seq`);

  return {
    /** Adds a removal. Call this before deleting the order: the removal copies its search columns. */
    add(posReference: string, seq: number, mark: RemovedOrder): void {
      const mergedInto = mark.mergedInto === null ? null : JSON.stringify(mark.mergedInto);
      insertRemoved.run({ posReference, seq, ...mark, mergedInto });
    },
    /** How and when a check was removed; null if it was not. */
    getRemoval: (posReference: string): RemovedOrder | null => readRow(getRemoval.get(posReference), readRemoval),
    /** The seq of the removal. */
    getSeq: (posReference: string): number | undefined => getSeq.get(posReference),
    /** Removals after a seq, oldest first. */
    listRemovedSince: (seq: number): (RemovedOrder & { posReference: string })[] =>
      listRemovedSince.all(seq).map(readRemoval),
  };
}

function readRemoval<R extends RemovedRow>(row: R): Omit<R, "mergedInto"> & RemovedOrder {
  const { mergedInto } = row;
  return { ...row, mergedInto: mergedInto === null ? null : parseColumn<string[]>(mergedInto, []) };
}
