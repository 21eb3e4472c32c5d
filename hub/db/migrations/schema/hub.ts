/** The identity of the data file, facts that outlive a restart, the audit log and past restores. */
export const hub = `
    -- is_clean: 0 while a hub runs on the file; a start that finds 0 follows a crash, a power cut or a copy of a running file.
    -- generation: the number of the history, so that backups can be ordered by history, independently of the clock.
    -- file_name: the data file that a backup was made of. Several hubs may share a backup folder.
    -- former_epochs: JSON [{epoch, seq}], the former epochs of this file with the last seq of each, newest last.
    CREATE TABLE hub_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      hub_id TEXT NOT NULL,
      epoch TEXT NOT NULL,
      seq INTEGER NOT NULL,
      low_water_seq INTEGER NOT NULL,
      digest_key BLOB NOT NULL,
      is_clean INTEGER NOT NULL DEFAULT 1,
      generation INTEGER NOT NULL DEFAULT 0,
      file_name TEXT,
      former_epochs TEXT NOT NULL DEFAULT '[]',
      has_had_key INTEGER NOT NULL DEFAULT 0,
      seal INTEGER
    ) STRICT;

    CREATE TABLE remembered (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- The columns that the seal of a row covers, by table (see integrity/sealed-tables.ts).
    CREATE TABLE seals (
      table_name TEXT PRIMARY KEY,
      columns TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE audit_log (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      user_name TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT,
      detail TEXT
    ) STRICT;
    CREATE INDEX audit_by_subject ON audit_log (subject);

    CREATE TABLE restores (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      cause TEXT NOT NULL,
      by_name TEXT,
      backup TEXT,
      replaced TEXT,
      replaced_read TEXT NOT NULL,
      events_after INTEGER NOT NULL,
      events_skipped INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
`;
