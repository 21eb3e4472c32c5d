import type { Database } from "better-sqlite3";

/**
 * A fiscal number belongs to a reference, whose order may come later, and can be annulled. Customers have a phone,
 * products have modifiers (JSON).
 */
export function serviceRules(db: Database): void {
  db.exec(`
    CREATE TABLE fiscal_number (
      ncf TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      holder TEXT NOT NULL CHECK (holder IN ('order', 'credit_note')),
      pos_reference TEXT NOT NULL,
      rnc TEXT,
      expires_on TEXT,
      given_at INTEGER NOT NULL,
      annulled_reason TEXT
    ) STRICT;
    INSERT INTO fiscal_number (ncf, type, holder, pos_reference, rnc, expires_on, given_at)
      SELECT ncf, type, holder, pos_reference, rnc, expires_on, given_at
      FROM ncf_number JOIN pos_order ON pos_order.id = order_id ORDER BY ncf_number.rowid;

    -- Rebuilt because it refers to the old table of numbers.
    CREATE TABLE new_credit_note (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id INTEGER NOT NULL UNIQUE REFERENCES pos_order (id),
      ncf TEXT NOT NULL REFERENCES fiscal_number (ncf),
      modifies TEXT NOT NULL,
      lines TEXT NOT NULL,
      total_cents INTEGER NOT NULL,
      user_id INTEGER NOT NULL REFERENCES user (id),
      created_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO new_credit_note SELECT * FROM credit_note;
    DROP TABLE credit_note;
    ALTER TABLE new_credit_note RENAME TO credit_note;
    DROP TABLE ncf_number;
    ALTER TABLE fiscal_number RENAME TO ncf_number;

    -- An order and its credit note hold one number each; annulled ones hold no longer.
    CREATE UNIQUE INDEX held_number_by_reference ON ncf_number (pos_reference, holder) WHERE annulled_reason IS NULL;
    CREATE INDEX number_by_type ON ncf_number (type, ncf);

    ALTER TABLE customer ADD COLUMN phone TEXT;
    ALTER TABLE product ADD COLUMN modifiers TEXT NOT NULL DEFAULT '[]';
  `);
}
