import type { Database } from "better-sqlite3";

/**
 * What keeps PINs from being guessed: wrong ones and new devices of the last hour, at which devices somebody was signed in,
 * how long a PIN is, and which devices nobody has confirmed. Devices that are known by now are no new ones.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE hourly_counts (
      id INTEGER PRIMARY KEY,
      subject TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX hourly_count_by_subject ON hourly_counts (subject, at);
    CREATE INDEX hourly_count_by_time ON hourly_counts (at);

    CREATE TABLE device_people (
      device_id TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      is_manager INTEGER NOT NULL,
      PRIMARY KEY (device_id, user_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO device_people (device_id, user_id, is_manager)
    SELECT terminal_id, user_id, role = 'manager' FROM terminals WHERE key_digest IS NOT NULL;

    ALTER TABLE people ADD COLUMN pin_digits INTEGER;
    ALTER TABLE terminals ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 1;
  `);
}
