import type { Database } from "better-sqlite3";

/**
 * Which columns the seal of a row covers, by table: every table that something depends on gets a `seal`, which the hub
 * keeps by itself (see sealed-tables.ts). The two that had a checksum of the same kind keep what it says of their rows.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE seals (
      table_name TEXT PRIMARY KEY,
      columns TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE hub_events ADD COLUMN seal INTEGER;
    UPDATE hub_events SET seal = -1 WHERE checksum <> seal(type, pos_reference, version, created_at, forwarded);
    ALTER TABLE hub_events DROP COLUMN checksum;

    ALTER TABLE unapplied_payments ADD COLUMN seal INTEGER;
    UPDATE unapplied_payments SET seal = -1
    WHERE checksum <> seal(mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at, settled_at,
      settled_by, settled_note);
    ALTER TABLE unapplied_payments DROP COLUMN checksum;
  `);
}
