import type { ChainLost } from "@comanda/protocol/chain.ts";
import type { Queries } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import type { Collected } from "./collected.ts";

/** A message of NATS holds 1 MiB. */
const PAGE = 100;
const MAX_PAGE = 256 * 1024;

/** The columns of `lost_checks`, of a check `c` and the cursor `u` of the hub that had it. */
const LOST = "c.restaurant_id, c.pos_reference, u.hub_id, c.version, c.removal, c.body, $2::timestamptz";
/** Of others nobody knows what was in them. */
const IS_KNOWN = "(c.body ? 'snapshot' OR c.removal IS NOT NULL)";
const UNLESS_NEWER = `ON CONFLICT (restaurant_id, pos_reference) DO UPDATE SET
  hub_id = EXCLUDED.hub_id, version = EXCLUDED.version, removal = EXCLUDED.removal, body = EXCLUDED.body, at = EXCLUDED.at
  WHERE EXCLUDED.version >= lost_checks.version`;

/** Keeps checks as they were here before what restaurants that have lost some of their history have of them. */
export async function keepReplaced({ query }: Queries, { checks, forked }: Collected, now: Date): Promise<void> {
  const heads = [...checks.values()].flatMap(({ restaurant_id, pos_reference, version, full_id }) =>
    forked.has(restaurant_id) ? [{ restaurant_id, pos_reference, version, full_id }] : [],
  );
  if (heads.length === 0) return;
  await query(
    `INSERT INTO lost_checks SELECT ${LOST}
     FROM ${rowsOf("checks")} AS new JOIN checks c USING (restaurant_id, pos_reference)
       JOIN cursors u USING (restaurant_id)
     WHERE c.version <> new.version AND c.full_id < new.full_id AND NOT c.is_gone AND ${IS_KNOWN}
     ${UNLESS_NEWER}`,
    [JSON.stringify(heads), now],
  );
}

/** Keeps checks that a restaurant does not have any more. */
export async function keepGone(
  { query }: Queries,
  restaurant: string,
  references: readonly string[],
  now: Date,
): Promise<void> {
  await query(
    `INSERT INTO lost_checks SELECT ${LOST}
     FROM checks c JOIN cursors u USING (restaurant_id)
     WHERE c.restaurant_id = $1 AND c.pos_reference = ANY($3) AND ${IS_KNOWN}
     ${UNLESS_NEWER}`,
    [restaurant, now, references],
  );
}

interface LostRow {
  hubId: string;
  posReference: string;
  version: number;
  removal: { mergedInto?: string[]; at: string } | null;
  body: object | null;
}

/** A page of what a restaurant has lost, what is open first: as much as a message holds. */
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
    bytes += JSON.stringify(each).length;
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
