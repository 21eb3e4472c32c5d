import type { Database } from "better-sqlite3";

/** Kitchen tickets as records of their own, which part of them each check holds, and what has run out. */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE tickets (
      id INTEGER PRIMARY KEY,
      ticket_id TEXT NOT NULL UNIQUE,
      pos_reference TEXT NOT NULL,
      seq INTEGER NOT NULL,
      is_over INTEGER NOT NULL,
      sent_at INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX ticket_by_seq ON tickets (seq);
    CREATE INDEX ticket_open ON tickets (sent_at) WHERE is_over = 0;
    CREATE INDEX ticket_over ON tickets (seq) WHERE is_over = 1;

    CREATE TABLE ticket_orders (
      pos_reference TEXT NOT NULL,
      ticket_id TEXT NOT NULL,
      PRIMARY KEY (pos_reference, ticket_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ticket_order_by_ticket ON ticket_orders (ticket_id);
  `);
}
