/** Tables, leases of orders, and plugin records. */
export const tables = `
    CREATE TABLE tables (
      table_id INTEGER PRIMARY KEY,
      status TEXT NOT NULL,
      pos_reference TEXT,
      updated_at INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      lock TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX table_by_seq ON tables (seq);

    CREATE TABLE joined_tables (
      table_id INTEGER NOT NULL,
      pos_reference TEXT NOT NULL,
      seal INTEGER,
      PRIMARY KEY (table_id, pos_reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX joined_table_by_order ON joined_tables (pos_reference);

    CREATE TABLE leases (
      pos_reference TEXT PRIMARY KEY,
      lease_id TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE plugin_records (
      plugin_id TEXT NOT NULL,
      key TEXT NOT NULL,
      payload TEXT,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      expires_at INTEGER,
      is_removed INTEGER NOT NULL DEFAULT 0,
      seq INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (plugin_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plugin_record_by_seq ON plugin_records (seq);
    CREATE INDEX plugin_record_by_expiry ON plugin_records (expires_at)
      WHERE is_removed = 0 AND expires_at IS NOT NULL;
    -- Removed records keep a row; this index has the others.
    CREATE INDEX plugin_record_live ON plugin_records (plugin_id, key) WHERE is_removed = 0;
`;
