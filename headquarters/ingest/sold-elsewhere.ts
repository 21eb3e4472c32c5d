import type { Queries } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import type { Collected } from "./collected.ts";

type Check = Collected["checks"] extends Map<string, infer Row> ? Row : never;

/**
 * SQL: checks `c` of another restaurant of the same hub, with the reference and opening time of a check in `$1`. Works key by
 * key (LATERAL, LIMIT): a database without statistics of its tables, such as the embedded one, would read all checks instead.
 */
const ELSEWHERE = `${rowsOf("checks")} AS key
  JOIN restaurant_hubs other ON other.hub_id = key.hub_id AND other.restaurant_id <> key.restaurant_id
  CROSS JOIN LATERAL (
    SELECT * FROM checks here WHERE here.restaurant_id = other.restaurant_id AND here.pos_reference = key.pos_reference
      AND here.opened_at = key.opened_at AND NOT here.is_gone LIMIT 1
  ) c`;

const keysOf = (checks: readonly Check[]): string =>
  JSON.stringify(
    checks.map(({ restaurant_id, hub_id, pos_reference, opened_at }) => ({
      restaurant_id,
      hub_id,
      pos_reference,
      opened_at,
    })),
  );

/**
 * Marks checks as gone at a hub's former restaurant if the hub sold them before it was enrolled there: such checks move along
 * with the hub. Returns their keys and the former restaurant's time zone.
 */
export function releaseMovedChecks({ query }: Queries, checks: readonly Check[]) {
  return query<{ restaurant_id: string; pos_reference: string; time_zone: string }>(
    `UPDATE checks SET is_gone = TRUE FROM (
       SELECT c.restaurant_id, c.pos_reference, r.time_zone FROM ${ELSEWHERE} JOIN restaurants r ON r.id = c.restaurant_id
       WHERE c.hour IS NOT NULL AND coalesce(c.paid_at, c.updated_at) < other.enrolled_at
     ) AS old WHERE checks.restaurant_id = old.restaurant_id AND checks.pos_reference = old.pos_reference
     RETURNING old.*`,
    [keysOf(checks)],
  );
}

/** Returns the checks as this restaurant counts them: what its hub sold for another restaurant counts there. */
export async function withoutSoldElsewhere({ query }: Queries, checks: readonly Check[]): Promise<Check[]> {
  const rows = await query<{ restaurantId: string; posReference: string; isCounted: boolean; refunds: string[] }>(
    `SELECT key.restaurant_id AS "restaurantId", key.pos_reference AS "posReference",
       bool_or(c.hour IS NOT NULL) AS "isCounted", array_remove(array_agg(r.refund_id), NULL) AS refunds
     FROM ${ELSEWHERE}
       LEFT JOIN refunds r ON r.restaurant_id = c.restaurant_id AND r.pos_reference = c.pos_reference
     GROUP BY key.restaurant_id, key.pos_reference`,
    [keysOf(checks)],
  );
  const elsewhere = new Map(rows.map((row) => [`${row.restaurantId} ${row.posReference}`, row]));
  return checks.map((check) => {
    const found = elsewhere.get(`${check.restaurant_id} ${check.pos_reference}`);
    if (found === undefined) return check;
    const refunds = check.refunds.filter(({ refund_id }) => !found.refunds.includes(refund_id));
    return { ...check, refunds, ...(found.isCounted && { hour: null, lines: [] }) };
  });
}
