import type { Queries } from "../db/database.ts";

/**
 * Invalidates the sums of days (null for all days), in the transaction that changes the rows below them. Waits while a day is
 * being added up, even if it has no sums yet.
 */
export async function forgetDays({ query }: Queries, days: readonly string[] | null): Promise<void> {
  await query("DELETE FROM summed_days WHERE $1::date[] IS NULL OR day = ANY($1)", [days]);
}
