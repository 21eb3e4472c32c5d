import type { Database } from "better-sqlite3";

/** When an event that a manager set aside asks for a decision again. */
export function migrate(db: Database): void {
  db.exec(`
    -- In ms since 1970; null for one that was not set aside, or whose time has come.
    ALTER TABLE hub_events ADD COLUMN set_aside_until INTEGER;
    DROP INDEX hub_event_waiting;
    CREATE INDEX hub_event_waiting ON hub_events (id, state, created_at, next_attempt_at, set_aside_until)
      WHERE forwarded = 0;
  `);
}
