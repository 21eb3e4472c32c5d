/** Fiscal numbers, issued and requested. */
export const fiscal = `
    -- Kept when the order is removed: a number is used once, ever.
    CREATE TABLE order_ncf (
      ncf TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE fiscal_requests (
      pos_reference TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (state IN
        ('pending', 'failed', 'releasing', 'signing', 'sent', 'unsigned', 'rejected', 'conflict', 'contingency')),
      type TEXT NOT NULL,
      rnc TEXT,
      -- Of a request in state 'releasing': the number, where it is known, and why it is given up.
      ncf TEXT,
      reason TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      error_code TEXT,
      changed_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX fiscal_request_by_state ON fiscal_requests (state);
`;
