import type { Database } from "better-sqlite3";

/** The electronic receipt of an order is signed once. */
export function signatures(db: Database): void {
  db.exec(`
    CREATE TABLE signature (
      pos_reference TEXT PRIMARY KEY,
      security_code TEXT NOT NULL,
      signed_at INTEGER NOT NULL
    ) STRICT;
  `);
}
