import type { Database } from "better-sqlite3";

/**
 * The identity of every payment that was applied (`paymentId` or `tenderId`), so that a retry under another mutation id is
 * recognized; `content` is what it brought, null where that is not known. And the money that a terminal has not sent.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE payment_identities (
      identity TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      content TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payment_identity_by_reference ON payment_identities (pos_reference);

    ALTER TABLE terminals ADD COLUMN outbox_payments INTEGER;
    ALTER TABLE terminals ADD COLUMN outbox_amount REAL;
  `);
}
