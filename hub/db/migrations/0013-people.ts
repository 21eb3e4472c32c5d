import type { Database } from "better-sqlite3";

/** Who may act with a PIN, the tokens given for it, who approved which version, and the customers last used. */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE people (
      user_id INTEGER PRIMARY KEY,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      permissions TEXT NOT NULL,
      pin_salt BLOB,
      pin_digest BLOB,
      pin_set_at INTEGER
    ) STRICT;

    CREATE TABLE pin_misses (
      user_id INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      misses INTEGER NOT NULL,
      locked_until INTEGER NOT NULL,
      PRIMARY KEY (user_id, device_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE actor_tokens (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      is_pin INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX actor_token_by_expiry ON actor_tokens (expires_at);

    CREATE TABLE version_people (
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      user_name TEXT NOT NULL,
      approved_by TEXT,
      PRIMARY KEY (pos_reference, version)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE customers (
      customer_id TEXT PRIMARY KEY,
      content TEXT NOT NULL,
      used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX customer_by_use ON customers (used_at);
  `);
}
