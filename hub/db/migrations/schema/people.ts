/** Users, terminals and sessions. */
export const people = `
    CREATE TABLE identities (
      digest TEXT PRIMARY KEY,
      identity TEXT NOT NULL,
      confirmed_at INTEGER NOT NULL,
      session TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ended_sessions (
      digest TEXT PRIMARY KEY,
      ended_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- Sessions opened at terminals, by the keyed digests of all their tokens. They are valid only for terminals.
    CREATE TABLE terminal_sessions (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX terminal_session_by_user ON terminal_sessions (user_id, used_at);

    CREATE TABLE terminals (
      terminal_id TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      client_version TEXT,
      protocol_version INTEGER NOT NULL,
      address TEXT,
      first_seen_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      clock_offset_ms INTEGER,
      outbox_pending INTEGER,
      outbox_oldest_at INTEGER,
      key_digest TEXT,
      outbox_payments INTEGER,
      outbox_amount REAL,
      is_confirmed INTEGER NOT NULL DEFAULT 1,
      outbox_empty_at INTEGER,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE people (
      user_id INTEGER PRIMARY KEY,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      permissions TEXT NOT NULL,
      pin_salt BLOB,
      pin_digest BLOB,
      pin_set_at INTEGER,
      login TEXT,
      confirmed_at INTEGER,
      pin_digits INTEGER,
      seal INTEGER
    ) STRICT;

    CREATE TABLE pin_misses (
      user_id INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      misses INTEGER NOT NULL,
      locked_until INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (user_id, device_id)
    ) STRICT, WITHOUT ROWID;

    -- revoked: 2 once a mutation that used the token after its revocation has been reported.
    CREATE TABLE actor_tokens (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      is_pin INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      given_at INTEGER NOT NULL DEFAULT 0,
      revoked INTEGER NOT NULL DEFAULT 0,
      is_approval INTEGER NOT NULL DEFAULT 0,
      approved TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX actor_token_by_expiry ON actor_tokens (expires_at);

    -- Wrong PINs of the last hour, to limit guessing.
    CREATE TABLE hourly_counts (
      id INTEGER PRIMARY KEY,
      subject TEXT NOT NULL,
      at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX hourly_count_by_subject ON hourly_counts (subject, at);
    CREATE INDEX hourly_count_by_time ON hourly_counts (at);

    CREATE TABLE device_people (
      device_id TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      is_manager INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (device_id, user_id)
    ) STRICT, WITHOUT ROWID;
`;
