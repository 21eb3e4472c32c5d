/** Fiscal numbers, issued and requested. */
export const fiscal = `
    -- Kept when the order is removed, because a number is never used twice.
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
      -- Only in state 'releasing': the number, if known, and the reason for giving it up.
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
