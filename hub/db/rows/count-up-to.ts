import type { Db } from "../open.ts";

/** Where every row has to be looked at, so many are counted. */
export const COUNTED_MAX = 1_000;

/** How many rows a list has. */
export interface Total {
  total: number;
  /** There are more than that. */
  totalIsCapped?: true;
}

/** The row ids of a page, and how many rows the whole list has. */
export type FoundIds = Total & { ids: number[] };

/** Counts what `select` answers, at most COUNTED_MAX rows. */
export function countUpTo(db: Db, select: string, parameters: Record<string, unknown>): Total {
  const sql = `SELECT count(*) FROM (${select} LIMIT ${COUNTED_MAX + 1})`;
  const found = db.prepare<Record<string, unknown>, number>(sql).pluck().get(parameters) ?? 0;
  return found > COUNTED_MAX ? { total: COUNTED_MAX, totalIsCapped: true } : { total: found };
}

/** The pattern that finds a text anywhere, for `LIKE … ESCAPE '\'`: what is a wildcard to SQL stands for itself. */
export function likePart(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
