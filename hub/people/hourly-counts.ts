import { HOUR_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

export type HourlyCounts = ReturnType<typeof createHourlyCounts>;

/**
 * Counts what happened to a subject within the last hour. Stored, so that a restart does not reset it. `now` is a time in ms
 * since 1970 that a change of the wall clock does not move.
 */
export function createHourlyCounts(db: Db, now: () => number) {
  const count = db
    .prepare<[string, number], number>("SELECT count(*) FROM hourly_counts WHERE subject = ? AND at > ?")
    .pluck();
  // The newest event that must expire before there is room for one more.
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
    /** When a subject is below `max` again, ms since 1970; null if it is now. */
    fullUntil(subject: string, max: number): number | null {
      const at = blocking.get(subject, now() - HOUR_MS, max - 1);
      return at === undefined ? null : at + HOUR_MS;
    },
    /** Call in a transaction. */
    note(subject: string): void {
      removeOld.run(now() - HOUR_MS);
      insert.run(subject, now());
    },
    /** Call in a transaction. */
    clear: (subject: string): void => void remove.run(subject),
    /** Shifts all times after the clock was corrected. */
    move: (byMs: number): void => void move.run(byMs),
  };
}
