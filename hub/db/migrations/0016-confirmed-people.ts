import type { Database } from "better-sqlite3";

/** What signing in with a PIN needs to know of a person: the login, and when the back-office last confirmed them. */
export function migrate(db: Database): void {
  db.exec(`
    ALTER TABLE people ADD COLUMN login TEXT;
    ALTER TABLE people ADD COLUMN confirmed_at INTEGER;
  `);
}
