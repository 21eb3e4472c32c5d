import type { Database } from "better-sqlite3";

/** Kitchen tickets that are over are packed as versions of orders are: `body` is empty then. */
export function migrate(db: Database): void {
  db.exec(`
    ALTER TABLE tickets ADD COLUMN packed BLOB;
    CREATE INDEX ticket_as_written ON tickets (sent_at) WHERE is_over = 1 AND packed IS NULL;
  `);
}
