/** Events for the back-office, questions to it, and losses found after a restore. */
export const backOffice = `
    CREATE TABLE hub_events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'pending',
      attempts INTEGER NOT NULL DEFAULT 0,
      refusals INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER,
      is_alone INTEGER NOT NULL DEFAULT 0,
      forwarded INTEGER NOT NULL DEFAULT 0,
      forwarded_at INTEGER,
      error TEXT,
      error_code TEXT,
      note TEXT,
      done_outcome TEXT,
      done_ms INTEGER,
      is_held INTEGER NOT NULL DEFAULT 0,
      set_aside_until INTEGER,
      seal INTEGER
    ) STRICT;
    CREATE INDEX hub_event_by_reference ON hub_events (pos_reference);
    CREATE INDEX hub_event_waiting ON hub_events (id, state, created_at, next_attempt_at, set_aside_until, is_held)
      WHERE forwarded = 0;

    CREATE TABLE forward_attempts (
      id INTEGER PRIMARY KEY,
      event_id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      detail TEXT,
      error_code TEXT,
      ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX forward_attempt_by_event ON forward_attempts (event_id);
    CREATE INDEX forward_attempt_failed ON forward_attempts (id) WHERE outcome IN ('failed', 'refused');

    CREATE TABLE lookup_questions (
      pos_reference TEXT PRIMARY KEY,
      why TEXT NOT NULL,
      answered_at INTEGER,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- Orders that a restore lost. body: the order, as in order_versions. detail: the back-office's answer, as JSON. sources: a
    -- JSON list of who reported the order.
    CREATE TABLE losses (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      sources TEXT NOT NULL,
      known_at INTEGER NOT NULL,
      known_by TEXT,
      body TEXT,
      checksum INTEGER,
      detail TEXT,
      found_at INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'open',
      settled_at INTEGER,
      settled_by TEXT,
      settled_note TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX loss_open ON losses (id) WHERE state = 'open';
    CREATE INDEX loss_by_reference ON losses (pos_reference);
`;
