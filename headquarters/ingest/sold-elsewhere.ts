import type { Queries } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import type { Collected } from "./collected.ts";

type Check = Collected["checks"] extends Map<string, infer Row> ? Row : never;

/**
 * The checks as their restaurant counts them: a hub that was another restaurant's before sends what it sold there once more,
 * and that counts where it was sold. It is the same check where it has the same reference and was opened at the same time.
 */
export async function withoutSoldElsewhere({ query }: Queries, checks: readonly Check[]): Promise<Check[]> {
  const keys = checks.map(({ restaurant_id, pos_reference, opened_at }) => ({
    restaurant_id,
    pos_reference,
    opened_at,
  }));
  const rows = await query<{ restaurantId: string; posReference: string; isCounted: boolean; refunds: string[] }>(
    `SELECT key.restaurant_id AS "restaurantId", key.pos_reference AS "posReference",
       bool_or(c.hour IS NOT NULL) AS "isCounted", array_remove(array_agg(r.refund_id), NULL) AS refunds
     FROM ${rowsOf("checks")} AS key
       JOIN restaurant_hubs own ON own.restaurant_id = key.restaurant_id
       JOIN restaurant_hubs other ON other.hub_id = own.hub_id AND other.restaurant_id <> own.restaurant_id
       JOIN checks c ON c.restaurant_id = other.restaurant_id AND c.pos_reference = key.pos_reference
         AND c.opened_at = key.opened_at AND NOT c.is_gone
       LEFT JOIN refunds r ON r.restaurant_id = c.restaurant_id AND r.pos_reference = c.pos_reference
     GROUP BY key.restaurant_id, key.pos_reference`,
    [JSON.stringify(keys)],
  );
  const elsewhere = new Map(rows.map((row) => [`${row.restaurantId} ${row.posReference}`, row]));
  return checks.map((check) => {
    const found = elsewhere.get(`${check.restaurant_id} ${check.pos_reference}`);
    if (found === undefined) return check;
    const refunds = check.refunds.filter(({ refund_id }) => !found.refunds.includes(refund_id));
    return { ...check, refunds, ...(found.isCounted && { hour: null, lines: [] }) };
  });
}
