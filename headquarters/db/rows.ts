import type { Queries } from "./database.ts";

/** Returns SQL for the rows in parameter `$1`: JSON with fields named and typed like the columns of `table`. */
export const rowsOf = (table: string): string => `jsonb_populate_recordset(NULL::${table}, $1::text::jsonb)`;

/** Inserts rows that all have the same fields. With `key` (column names), replaces rows that have the same key. */
export async function insertRows(
  { query }: Queries,
  table: string,
  rows: readonly object[],
  key?: string,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const update = names.map((name) => `${name} = EXCLUDED.${name}`).join(", ");
  await query(
    `INSERT INTO ${table} (${names.join(", ")}) SELECT ${names.join(", ")} FROM ${rowsOf(table)}
     ${key === undefined ? "" : `ON CONFLICT (${key}) DO UPDATE SET ${update}`}`,
    [JSON.stringify(rows)],
  );
}
