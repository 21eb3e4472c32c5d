import type { ChainLost } from "@comanda/protocol/chain.ts";
import type { Queries } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import type { Collected, EndedTransfer } from "./collected.ts";

const PAGE = 100;
/** Bytes. A NATS message holds 1 MiB, and a check written by a hub is far smaller. */
const MAX_PAGE = 256 * 1024;
const MAX_CHECK = 768 * 1024;

/** SQL: the columns of `lost_checks` from a check `c`. */
const LOST = "c.restaurant_id, c.pos_reference, c.hub_id, c.version, c.removal, c.body, $2::timestamptz";
/** SQL condition: the content of check `c` is known and fits into a message. */
const IS_SENDABLE = `(c.removal IS NOT NULL OR (c.body ? 'snapshot' AND octet_length(c.body::text) <= ${MAX_CHECK}))`;
const UNLESS_NEWER = `ON CONFLICT (restaurant_id, pos_reference) DO UPDATE SET
  hub_id = EXCLUDED.hub_id, version = EXCLUDED.version, removal = EXCLUDED.removal, body = EXCLUDED.body, at = EXCLUDED.at
  WHERE EXCLUDED.version >= lost_checks.version`;

/** Copies checks to `lost_checks` before another version replaces them, for restaurants that lost part of their history. */
export async function saveReplacedChecks({ query }: Queries, { checks, forked }: Collected, now: Date): Promise<void> {
  const rows = [...checks.values()].flatMap(({ restaurant_id, pos_reference, version, body }) => {
    const full_id = forked.get(restaurant_id);
    return full_id === undefined ? [] : [{ restaurant_id, pos_reference, version, body, full_id }];
  });
  if (rows.length === 0) return;
  await query(
    `INSERT INTO lost_checks SELECT ${LOST}
     FROM ${rowsOf("checks")} AS new JOIN checks c USING (restaurant_id, pos_reference)
     WHERE (c.version, c.body->'snapshot') IS DISTINCT FROM (new.version, new.body->'snapshot')
       AND c.full_id <= new.full_id AND NOT c.is_gone AND ${IS_SENDABLE}
     ${UNLESS_NEWER}`,
    [JSON.stringify(rows), now],
  );
}

/** Copies checks to `lost_checks` that a restaurant no longer has, before they are marked as gone. */
export async function saveMissingChecks(
  { query }: Queries,
  restaurant: string,
  { fullId, since }: EndedTransfer,
  now: Date,
): Promise<void> {
  await query(
    `INSERT INTO lost_checks SELECT ${LOST}
     FROM checks c
     WHERE c.restaurant_id = $1 AND c.full_id < $3 AND NOT c.is_gone
       AND ((c.paid_at IS NULL AND NOT c.is_removed) OR c.updated_at >= $4) AND ${IS_SENDABLE}
     ${UNLESS_NEWER}`,
    [restaurant, now, fullId, new Date(since)],
  );
}

interface LostRow {
  hubId: string;
  posReference: string;
  version: number;
  removal: { mergedInto?: string[]; at: string } | null;
  body: object | null;
}

/** Returns a page of a restaurant's lost checks, open ones first, that fits into a message. */
export async function readLost({ query }: Queries, restaurant: string, after: number): Promise<ChainLost> {
  const rows = await query<LostRow>(
    `SELECT hub_id AS "hubId", pos_reference AS "posReference", version, removal, body
     FROM lost_checks WHERE restaurant_id = $1
     ORDER BY removal IS NOT NULL OR body->'snapshot'->>'status' IN ('paid', 'closed'), pos_reference LIMIT $2 OFFSET $3`,
    [restaurant, PAGE, after],
  );
  const checks: ChainLost["checks"] = [];
  let bytes = 0;
  for (const row of rows) {
    const each = { hubId: row.hubId, check: checkOf(row) };
    bytes += Buffer.byteLength(JSON.stringify(each));
    if (checks.length > 0 && bytes > MAX_PAGE) break;
    checks.push(each);
  }
  const isLast = checks.length === rows.length && rows.length < PAGE;
  return { checks, next: isLast ? null : after + checks.length };
}

function checkOf({ posReference, version, removal, body }: LostRow): object | null {
  if (removal === null) return body;
  const { mergedInto, at } = removal;
  return { posReference, version, at, ...(mergedInto !== undefined && { mergedInto }) };
}
