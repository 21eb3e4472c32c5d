/** Tills, their shifts, and their money. */
export const till = `
    -- Drawers. terminals: a JSON list of those whose money lies in it. money_before: the last row of till_money from before it.
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

    -- state: open, counted or closed. counted_at: when its first count was stored. report: what it was closed with (Z), as JSON, and never written again.
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

    -- What goes into a drawer and out of it beside sales (kind: move), its counts (count), the times that it was opened
    -- (opening). body: as JSON.
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

    -- Each movement of money for a check (kind: payment, given_back or refund), with the shift that it belongs to; null for none. What it is of, takings and refunds
    -- say; this says in which drawer it lies. is_kept: it is on no check yet and waits for a manager. is_settling: the check
    -- was paid with it. is_late: it stands beside a shift that was counted before.
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
    CREATE INDEX till_money_loose ON till_money (at) WHERE shift_id IS NULL;
`;
