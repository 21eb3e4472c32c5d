import type { Database } from "better-sqlite3";

/** Those that wait for their fiscal number are counted without reading their rows. */
export function migrate(db: Database): void {
  db.exec(`
    DROP INDEX hub_event_waiting;
    CREATE INDEX hub_event_waiting ON hub_events (id, state, created_at, next_attempt_at, set_aside_until, is_held)
      WHERE forwarded = 0;
  `);
}
