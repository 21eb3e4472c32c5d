import type { Db } from "./open.ts";
import { parseColumn } from "./rows/parse-column.ts";
import { soundRow } from "./integrity/sealed-tables.ts";

/** A value and the time (ms since 1970) at which it was stored. */
export interface Remembered<T> {
  value: T;
  at: number;
}

export type Memory = ReturnType<typeof createMemory>;

/** Stores small facts that outlive a restart, such as the POS session and the floor plan. */
export function createMemory(db: Db) {
  const get = db.prepare<[string], { value: string; at: number }>(`
    SELECT value, at FROM remembered WHERE name = ? AND ${soundRow(db, "remembered")}`);
  const set = db.prepare<{ name: string; value: string; at: number }>(`
    INSERT INTO remembered (name, value, at) VALUES (@name, @value, @at)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at, seal = NULL`);

  return {
    /** Returns null if there is no such value or it is damaged; the next start deletes damaged values. */
    read<T>(name: string): Remembered<T> | null {
      const row = get.get(name);
      const value = row === undefined ? undefined : parseColumn<T | undefined>(row.value, undefined);
      return row === undefined || value === undefined ? null : { value, at: row.at };
    },
    write(name: string, value: unknown, at: number): void {
      set.run({ name, value: JSON.stringify(value), at });
    },
  };
}
