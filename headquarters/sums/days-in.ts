import { addDays, DAY_MS } from "@comanda/protocol";
import type { Queries } from "../db/database.ts";

/** Days that have sums, and days for which the rows of the restaurants have to be read. */
export interface DaysIn {
  summed: string[];
  fresh: string[];
}

/** Splits the days of a range by whether they have sums. The sums of days in `summed` are valid as of this query. */
export async function daysIn({ query }: Queries, from: string, to: string): Promise<DaysIn> {
  const rows = await query<{ day: string }>(
    "SELECT day::text AS day FROM summed_days WHERE day BETWEEN $1 AND $2 ORDER BY day",
    [from, to],
  );
  const summed = rows.map(({ day }) => day);
  const summedDays = new Set(summed);
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const all = Array.from({ length: count }, (_, index) => addDays(from, index));
  return { summed, fresh: all.filter((day) => !summedDays.has(day)) };
}
