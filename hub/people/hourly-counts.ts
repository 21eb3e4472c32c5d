import { HOUR_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

export type HourlyCounts = ReturnType<typeof createHourlyCounts>;

/**
 * What happened to a subject within the last hour. It is stored, so that a restart forgets nothing. `now` is a time in ms
 * since 1970 that a change of the wall clock does not move.
 */
export function createHourlyCounts(db: Db, now: () => number) {
  const count = db
    .prepare<[string, number], number>("SELECT count(*) FROM hourly_counts WHERE subject = ? AND at > ?")
    .pluck();
  // The newest of those that have to be over before there is room for one more.
  const blocking = db
    .prepare<[string, number, number], number>(
      "SELECT at FROM hourly_counts WHERE subject = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
    )
    .pluck();
  const insert = db.prepare<[string, number]>("INSERT INTO hourly_counts (subject, at) VALUES (?, ?)");
  const remove = db.prepare<[string]>("DELETE FROM hourly_counts WHERE subject = ?");
  const removeOld = db.prepare<[number]>("DELETE FROM hourly_counts WHERE at <= ?");
  const move = db.prepare<[number]>("UPDATE hourly_counts SET at = at + ?");

  return {
    count: (subject: string): number => count.get(subject, now() - HOUR_MS) ?? 0,
    /** When a subject is below `max` again, ms since 1970; null while it is. */
    fullUntil(subject: string, max: number): number | null {
      const at = blocking.get(subject, now() - HOUR_MS, max - 1);
      return at === undefined ? null : at + HOUR_MS;
    },
    /** Inside a write. */
    note(subject: string): void {
      removeOld.run(now() - HOUR_MS);
      insert.run(subject, now());
    },
    /** Inside a write. */
    clear: (subject: string): void => void remove.run(subject),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void move.run(byMs),
  };
}
