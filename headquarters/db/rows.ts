import type { Queries } from "./database.ts";

/** A source of SQL: rows in the parameter `$1`, JSON with fields that are named and typed as the columns of `table`. */
export const rowsOf = (table: string): string => `jsonb_populate_recordset(NULL::${table}, $1::text::jsonb)`;

/** Inserts rows that all have the same fields; with `key`, in the place of those that have the same one. */
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
