import type { Db } from "./open.ts";

/** A value with the time (ms since 1970) at which it was learned. */
export interface Remembered<T> {
  value: T;
  at: number;
}

export type Memory = ReturnType<typeof createMemory>;

/** Small facts that outlive a restart: the POS session, the floor plan, counters of the operator's choices. */
export function createMemory(db: Db) {
  const get = db.prepare<[string], { value: string; at: number }>("SELECT value, at FROM remembered WHERE name = ?");
  const set = db.prepare<{ name: string; value: string; at: number }>(`
    INSERT INTO remembered (name, value, at) VALUES (@name, @value, @at)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at, seal = NULL`);

  return {
    read<T>(name: string): Remembered<T> | null {
      const row = get.get(name);
      return row === undefined ? null : { value: JSON.parse(row.value) as T, at: row.at };
    },
    write(name: string, value: unknown, at: number): void {
      set.run({ name, value: JSON.stringify(value), at });
    },
  };
}
