import type { Database } from "better-sqlite3";

/** Tables that active checks hold beside their main one, and which products have run out. */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE joined_tables (
      table_id INTEGER NOT NULL,
      pos_reference TEXT NOT NULL,
      PRIMARY KEY (table_id, pos_reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX joined_table_by_order ON joined_tables (pos_reference);

    CREATE TABLE item_states (
      product_id TEXT PRIMARY KEY,
      seq INTEGER NOT NULL,
      -- When it came to be as scarce as it is, in ms since 1970: what was queued before is sold all the same.
      since INTEGER NOT NULL,
      -- When it is available again, in ms since 1970.
      until INTEGER,
      is_available INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_state_by_seq ON item_states (seq);
    CREATE INDEX item_state_scarce ON item_states (until) WHERE is_available = 0;
  `);
}
