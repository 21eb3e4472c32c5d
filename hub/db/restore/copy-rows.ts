import type Database from "better-sqlite3";

export type Row = Record<string, unknown>;

/** Copies what it can, and throws where that was not everything. `only` is SQL for the rows that are read at all. */
export function copyRows(
  db: Database.Database,
  replaced: Database.Database,
  table: string,
  about: { columns: string; only?: string; where: (row: Row) => boolean; change?: (row: Row) => Row },
): void {
  const { columns, only = "true", where, change = (row: Row) => row } = about;
  const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, "@$&")})`);
  let failure: unknown = null;
  for (const row of replaced.prepare<[], Row>(`SELECT ${columns} FROM ${table} WHERE ${only}`).all()) {
    try {
      if (where(row)) insert.run(change(row));
    } catch (error) {
      // One damaged row must not cost the others.
      failure = error;
    }
  }
  if (failure !== null) throw failure;
}
