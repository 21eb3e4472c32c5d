/** Payments and refunds, and payments and changes that are waiting for a manager. */
export const money = `
    -- Paid amounts by time, for the totals of the session, which must not depend on packed versions. session: the id of the
    -- POS session, as JSON, here and in refunds and till_money; null if none was known.
    CREATE TABLE takings (
      at INTEGER NOT NULL,
      pos_reference TEXT NOT NULL,
      total REAL NOT NULL,
      payments TEXT NOT NULL,
      session TEXT,
      seal INTEGER,
      PRIMARY KEY (at, pos_reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX taking_by_session ON takings (session);

    CREATE TABLE payment_identities (
      identity TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      content TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payment_identity_by_reference ON payment_identities (pos_reference);

    CREATE TABLE unapplied_payments (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL UNIQUE,
      pos_reference TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      error_code TEXT NOT NULL,
      error TEXT NOT NULL,
      body TEXT NOT NULL,
      at INTEGER NOT NULL,
      settled_at INTEGER,
      settled_by TEXT,
      settled_note TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX unapplied_payment_open ON unapplied_payments (id) WHERE settled_at IS NULL;
    CREATE INDEX unapplied_payment_by_reference ON unapplied_payments (pos_reference);

    -- Credit payments of orders that the back-office has not confirmed yet.
    CREATE TABLE unconfirmed_credit (
      pos_reference TEXT NOT NULL,
      customer_id TEXT NOT NULL,
      amount REAL NOT NULL,
      is_unchecked INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX unconfirmed_credit_by_reference ON unconfirmed_credit (pos_reference);
    CREATE INDEX unconfirmed_credit_by_customer ON unconfirmed_credit (customer_id);

    -- Mutations with a revoked token that wait for a manager's decision, or were decided.
    CREATE TABLE kept_changes (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL UNIQUE,
      digest TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      error TEXT NOT NULL,
      body TEXT NOT NULL,
      queued_at INTEGER,
      at INTEGER NOT NULL,
      settled_at INTEGER,
      settled_how TEXT,
      settled_by TEXT,
      settled_note TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX kept_change_open ON kept_changes (id) WHERE settled_at IS NULL;

    -- Refunds of paid checks, stored before the back-office is asked. body: the refund, as JSON. asks_all: requests all that is
    -- left, without naming lines. in_contingency: an electronic note has to replace the paper one later.
    CREATE TABLE refunds (
      refund_id TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'made')),
      is_in_doubt INTEGER NOT NULL DEFAULT 0 CHECK (is_in_doubt IN (0, 1)),
      asks_all INTEGER NOT NULL CHECK (asks_all IN (0, 1)),
      in_contingency INTEGER NOT NULL DEFAULT 0 CHECK (in_contingency IN (0, 1)),
      body TEXT NOT NULL,
      at INTEGER NOT NULL,
      made_at INTEGER,
      session TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX refund_by_order ON refunds (pos_reference);
    CREATE INDEX refund_by_time ON refunds (made_at) WHERE made_at IS NOT NULL;
    CREATE INDEX refund_by_session ON refunds (session) WHERE made_at IS NOT NULL;
    CREATE INDEX refund_pending ON refunds (refund_id) WHERE state = 'pending';
    CREATE INDEX refund_in_contingency ON refunds (made_at) WHERE in_contingency = 1;
`;
