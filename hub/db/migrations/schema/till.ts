/** Tills, their shifts, and their money. */
export const till = `
    -- Drawers. terminals: a JSON list of the terminals that use it. money_before: the last till_money row before this till.
    CREATE TABLE tills (
      till_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      printer TEXT,
      terminals TEXT NOT NULL,
      seq INTEGER NOT NULL,
      is_removed INTEGER NOT NULL DEFAULT 0,
      money_before INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- state: open, counted or closed. counted_at: when the first count was stored. report: the Z report as JSON, written once.
    CREATE TABLE shifts (
      shift_id TEXT PRIMARY KEY,
      till_id TEXT NOT NULL,
      till_name TEXT NOT NULL,
      state TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      opened_by TEXT NOT NULL,
      cash_method TEXT NOT NULL,
      float REAL NOT NULL,
      floats TEXT NOT NULL,
      counted_at INTEGER,
      closed_at INTEGER,
      report TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX shift_by_till ON shifts (till_id, opened_at);
    CREATE INDEX shift_by_time ON shifts (opened_at);
    CREATE INDEX shift_unclosed ON shifts (till_id) WHERE state <> 'closed';

    -- Cash moves besides sales (kind: move), counts (count) and openings (opening) of a drawer. body: JSON.
    CREATE TABLE shift_events (
      id INTEGER PRIMARY KEY,
      shift_id TEXT,
      till_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      mutation_id TEXT,
      at INTEGER NOT NULL,
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX shift_event_by_shift ON shift_events (shift_id);

    -- The shift of each movement of money (kind: payment, given_back or refund), null for none; takings and refunds have the
    -- details. is_kept: not applied to a check yet, waits for a manager. is_settling: this payment settled the check. is_late:
    -- a late entry of a shift that was counted before.
    CREATE TABLE till_money (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      identity TEXT NOT NULL,
      pos_reference TEXT NOT NULL,
      kind TEXT NOT NULL,
      method_id TEXT NOT NULL,
      amount REAL NOT NULL,
      tip REAL NOT NULL,
      drawer REAL NOT NULL,
      currency TEXT,
      foreign_amount REAL NOT NULL,
      staff_name TEXT,
      user_name TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      session TEXT,
      shift_id TEXT,
      queued_shift_id TEXT,
      is_kept INTEGER NOT NULL,
      is_settling INTEGER NOT NULL,
      is_late INTEGER NOT NULL DEFAULT 0,
      assigned_by TEXT,
      assigned_at INTEGER,
      seal INTEGER
    ) STRICT;
    CREATE INDEX till_money_by_order ON till_money (pos_reference);
    CREATE INDEX till_money_by_shift ON till_money (shift_id) WHERE shift_id IS NOT NULL;
    CREATE INDEX till_money_unassigned ON till_money (session, at) WHERE shift_id IS NULL;
`;
