import type { Database } from "better-sqlite3";

/**
 * Kitchen tickets lie with the versions of their checks a week after the last change: see `earlier` in pack.ts. `packing`
 * of an order is 3 then (with all versions) or 4 (thinned). By `ticket_key`, a number made from its id, such a ticket is
 * found by itself; a ticket of which several checks held shares lies with each of them.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE packed_tickets (
      ticket_key INTEGER NOT NULL,
      version_id INTEGER NOT NULL,
      PRIMARY KEY (ticket_key, version_id)
    ) STRICT, WITHOUT ROWID;
  `);
}
