import type { Database } from "better-sqlite3";

/** What came from terminals with a revoked token and waits for a manager, or was decided by one. */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE kept_changes (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL UNIQUE,
      digest TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      error TEXT NOT NULL,
      body TEXT NOT NULL,
      queued_at INTEGER,
      at INTEGER NOT NULL,
      settled_at INTEGER,
      settled_how TEXT,
      settled_by TEXT,
      settled_note TEXT
    ) STRICT;
    CREATE INDEX kept_change_open ON kept_changes (id) WHERE settled_at IS NULL;
  `);
}
