import type { Db } from "../db/open.ts";

/** A table of strings by unique name. */
export function keyValueTable<Name extends string>(db: Db, table: string, nameColumn: string, valueColumn: string) {
  const select = db.prepare<[string], { value: string }>(
    `SELECT ${valueColumn} AS value FROM ${table} WHERE ${nameColumn} = ?`,
  );
  const upsert = db.prepare(`
    INSERT INTO ${table} (${nameColumn}, ${valueColumn}) VALUES (?, ?)
    ON CONFLICT (${nameColumn}) DO UPDATE SET ${valueColumn} = excluded.${valueColumn}`);
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${nameColumn} = ?`);

  return {
    get: (name: Name): string | null => select.get(name)?.value ?? null,

    /** null removes the entry. */
    set(name: Name, value: string | null): void {
      if (value === null) remove.run(name);
      else upsert.run(name, value);
    },
  };
}
