import type { Database } from "better-sqlite3";

/** An order may have several credit notes, each for some of its lines; `asked` are these (JSON), null for a whole note. */
export function partialNotes(db: Database): void {
  db.exec(`
    CREATE TABLE new_credit_note (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id INTEGER NOT NULL REFERENCES pos_order (id),
      ncf TEXT NOT NULL REFERENCES ncf_number (ncf),
      modifies TEXT NOT NULL,
      lines TEXT NOT NULL,
      total_cents INTEGER NOT NULL,
      user_id INTEGER NOT NULL REFERENCES user (id),
      created_at INTEGER NOT NULL,
      refund_id TEXT UNIQUE,
      asked TEXT
    ) STRICT;
    INSERT INTO new_credit_note (id, order_id, ncf, modifies, lines, total_cents, user_id, created_at)
      SELECT id, order_id, ncf, modifies, lines, total_cents, user_id, created_at FROM credit_note;
    DROP TABLE credit_note;
    ALTER TABLE new_credit_note RENAME TO credit_note;
    CREATE INDEX credit_note_by_order ON credit_note (order_id);

    -- An order holds one number, each of its credit notes another.
    DROP INDEX held_number_by_reference;
    CREATE UNIQUE INDEX held_number_by_reference ON ncf_number (pos_reference)
      WHERE annulled_reason IS NULL AND holder = 'order';
  `);
}
