import type { Database } from "better-sqlite3";

/**
 * Sessions that were signed out at this hub and that the back-office may still take for live ones. `digest` is a keyed
 * digest, as in `identities`; there `session` is the digest of the token that began the session, null in the row of that
 * token itself: a back-office gives a session new tokens at will.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE ended_sessions (
      digest TEXT PRIMARY KEY,
      ended_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE identities ADD COLUMN session TEXT;
  `);
}
