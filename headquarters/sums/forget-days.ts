import type { Queries } from "../db/database.ts";

/**
 * Makes the sums of days void, in the transaction that changes what they were added up from; null for all days. It waits for
 * whoever is adding up a day, also where nothing was.
 */
export async function forgetDays({ query }: Queries, days: readonly string[] | null): Promise<void> {
  await query("DELETE FROM summed_days WHERE $1::date[] IS NULL OR day = ANY($1)", [days]);
}
