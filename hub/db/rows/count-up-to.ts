import type { Db } from "../open.ts";

/** The limit for counts that have to look at every row. */
export const COUNTED_MAX = 1_000;

/** The number of rows of a list. */
export interface Total {
  total: number;
  /** The list has more than `total` rows. */
  totalIsCapped?: true;
}

/** The row ids of a page, and the number of rows of the whole list. */
export type FoundIds = Total & { ids: number[] };

/** Counts the rows of `select`, up to COUNTED_MAX. */
export function countUpTo(db: Db, select: string, parameters: Record<string, unknown>): Total {
  const sql = `SELECT count(*) FROM (${select} LIMIT ${COUNTED_MAX + 1})`;
  const found = db.prepare<Record<string, unknown>, number>(sql).pluck().get(parameters) ?? 0;
  return found > COUNTED_MAX ? { total: COUNTED_MAX, totalIsCapped: true } : { total: found };
}

/** Returns a pattern for `LIKE … ESCAPE '\'` that finds a text anywhere; wildcards in the text are escaped. */
export function likePart(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
