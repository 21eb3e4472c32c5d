import type { Database } from "better-sqlite3";

/** The sessions that were opened at terminals, by keyed digests of all their tokens: they are good for nothing else. */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE terminal_sessions (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX terminal_session_by_user ON terminal_sessions (user_id, used_at);
  `);
}
