import type { Database } from "better-sqlite3";

/** Fiscal numbers that the hub asks for, those that its orders carry, and what customers owe that accounting does not know. */
export function migrate(db: Database): void {
  db.exec(`
    -- Kept when the order is removed: a number is used once, ever.
    CREATE TABLE order_ncf (
      ncf TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- Damaged versions read as ''.
    INSERT OR IGNORE INTO order_ncf (ncf, pos_reference)
      SELECT ncf, pos_reference FROM (
        SELECT o.pos_reference, json_extract(nullif(plain(v.body, v.packed), ''), '$.snapshot.ncf') AS ncf
        FROM orders o JOIN order_versions v ON v.id = o.body_id
        WHERE o.is_active = 0 AND json_valid(nullif(plain(v.body, v.packed), '')))
      WHERE typeof(ncf) = 'text';

    CREATE TABLE fiscal_requests (
      pos_reference TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN ('pending', 'failed', 'releasing')),
      type TEXT NOT NULL,
      rnc TEXT,
      -- Of a request in state 'releasing': the number, where it is known, and why it is given up.
      ncf TEXT,
      reason TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      error_code TEXT,
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX fiscal_request_by_state ON fiscal_requests (state);

    -- Payments on credit of orders that the back-office has not confirmed.
    CREATE TABLE unconfirmed_credit (
      pos_reference TEXT NOT NULL,
      customer_id TEXT NOT NULL,
      amount REAL NOT NULL,
      is_unchecked INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX unconfirmed_credit_by_reference ON unconfirmed_credit (pos_reference);
    CREATE INDEX unconfirmed_credit_by_customer ON unconfirmed_credit (customer_id);

    -- An event that waits for its order's fiscal number.
    ALTER TABLE hub_events ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
  `);
}
