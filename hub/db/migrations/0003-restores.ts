import type { Database } from "better-sqlite3";

/**
 * What follows a restore. `body` is a stored order as order_versions keeps it; `detail` is what the back-office said, as
 * JSON; `sources` is a JSON list of who knows of it. Times are ms since 1970.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE restores (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      cause TEXT NOT NULL,
      by_name TEXT,
      backup TEXT,
      replaced TEXT,
      replaced_read TEXT NOT NULL,
      events_after INTEGER NOT NULL,
      events_skipped INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE losses (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      sources TEXT NOT NULL,
      known_at INTEGER NOT NULL,
      known_by TEXT,
      body TEXT,
      checksum INTEGER,
      detail TEXT,
      found_at INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'open',
      settled_at INTEGER,
      settled_by TEXT,
      settled_note TEXT
    ) STRICT;
    CREATE INDEX loss_open ON losses (id) WHERE state = 'open';
    CREATE INDEX loss_by_reference ON losses (pos_reference);

    CREATE TABLE lookup_questions (
      pos_reference TEXT PRIMARY KEY,
      why TEXT NOT NULL,
      answered_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE version_floors (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `);
}
