import type Database from "better-sqlite3";
import { soundRow } from "../integrity/sealed-tables.ts";

export type Row = Record<string, unknown>;

/**
 * Copies the rows that `accepts` admits or, without it, those whose key is missing in `db`. `only` is an SQL condition for the
 * rows to read. Continues after a row that fails, and throws the last error at the end.
 */
export function copyRows(
  db: Database.Database,
  replaced: Database.Database,
  table: string,
  about: { columns: string; only?: string; accepts?: (row: Row) => boolean; change?: (row: Row) => Row },
): void {
  const { columns, only = "true", accepts, change = (row: Row) => row } = about;
  const conflict = accepts === undefined ? "ON CONFLICT DO NOTHING" : "";
  const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, "@$&")}) ${conflict}`);
  let failure: unknown = null;
  for (const row of replaced.prepare<[], Row>(`SELECT ${columns} FROM ${table} WHERE ${only}`).all()) {
    try {
      if (accepts === undefined || accepts(row)) insert.run(change(row));
    } catch (error) {
      // One damaged row must not prevent copying the others.
      failure = error;
    }
  }
  if (failure !== null) throw failure;
}

/** Replaces the content of tables by that of the replaced file, all tables or none. Leaves out damaged rows. */
export function takeTables(db: Database.Database, replaced: Database.Database, tables: readonly string[]): void {
  const columnsOf = replaced.prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE name <> 'seal'");
  // Reads everything before replacing the first row, because the file may be damaged.
  const rows = tables.map((table) => {
    const columns = columnsOf.pluck().all(table).join(", ");
    const sound = replaced.prepare<[], Row>(`SELECT ${columns} FROM ${table} WHERE ${soundRow(replaced, table)}`);
    return { table, columns, rows: sound.all() };
  });
  db.transaction(() => {
    for (const { table, columns, rows: found } of rows) {
      db.prepare(`DELETE FROM ${table}`).run();
      const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, "@$&")})`);
      for (const row of found) insert.run(row);
    }
  })();
}
