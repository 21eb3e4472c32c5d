/** Kitchen tickets, and the availability of items. */
export const kitchen = `
    CREATE TABLE ticket_counters (
      order_type TEXT NOT NULL,
      day TEXT NOT NULL,
      last INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (order_type, day)
    ) STRICT, WITHOUT ROWID;

    -- Finished tickets are packed like versions of orders; their body is then empty.
    CREATE TABLE tickets (
      id INTEGER PRIMARY KEY,
      ticket_id TEXT NOT NULL UNIQUE,
      pos_reference TEXT NOT NULL,
      seq INTEGER NOT NULL,
      is_over INTEGER NOT NULL,
      sent_at INTEGER NOT NULL,
      body TEXT NOT NULL,
      packed BLOB,
      seal INTEGER
    ) STRICT;
    CREATE INDEX ticket_by_seq ON tickets (seq);
    CREATE INDEX ticket_open ON tickets (sent_at) WHERE is_over = 0;
    CREATE INDEX ticket_over ON tickets (seq) WHERE is_over = 1;
    CREATE INDEX ticket_as_written ON tickets (sent_at) WHERE is_over = 1 AND packed IS NULL;

    CREATE TABLE ticket_orders (
      pos_reference TEXT NOT NULL,
      ticket_id TEXT NOT NULL,
      seal INTEGER,
      PRIMARY KEY (pos_reference, ticket_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ticket_order_by_ticket ON ticket_orders (ticket_id);

    CREATE TABLE packed_tickets (
      ticket_key INTEGER NOT NULL,
      version_id INTEGER NOT NULL,
      PRIMARY KEY (ticket_key, version_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE item_states (
      product_id TEXT PRIMARY KEY,
      seq INTEGER NOT NULL,
      -- Since when the stock is this low, ms since 1970. Dishes queued before that are still sold.
      since INTEGER NOT NULL,
      -- When the product is available again, ms since 1970.
      until INTEGER,
      is_available INTEGER NOT NULL,
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_state_by_seq ON item_states (seq);
    CREATE INDEX item_state_scarce ON item_states (until) WHERE is_available = 0;
`;
