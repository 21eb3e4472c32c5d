/** Integrations: their keys, webhooks and webhook deliveries. */
export const webhooks = `
    CREATE TABLE external_keys (
      key_id TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      label TEXT NOT NULL,
      scopes TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- gathered_from, gathered_to: the first and, if known, the last event without a delivery yet.
    CREATE TABLE webhook_subscriptions (
      id TEXT PRIMARY KEY,
      url TEXT NOT NULL,
      events TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      secret TEXT NOT NULL,
      deleted_at INTEGER,
      consecutive_failures INTEGER NOT NULL DEFAULT 0,
      last_success_at INTEGER,
      last_failure_at INTEGER,
      last_failure_status INTEGER,
      last_failure_error TEXT,
      gathered_from INTEGER,
      gathered_to INTEGER,
      credentials TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- The content of events, stored once for all their deliveries.
    CREATE TABLE webhook_events (
      id INTEGER PRIMARY KEY,
      event TEXT NOT NULL,
      content TEXT NOT NULL,
      subject TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL DEFAULT 0,
      packed BLOB,
      seal INTEGER
    ) STRICT;
    CREATE INDEX webhook_event_by_name ON webhook_events (event, id);
    CREATE INDEX webhook_event_by_age ON webhook_events (created_at);
    CREATE INDEX webhook_event_as_written ON webhook_events (created_at) WHERE packed IS NULL;

    CREATE TABLE webhook_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      subscription_id TEXT NOT NULL,
      event TEXT NOT NULL,
      subject TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'pending',
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      settled_at INTEGER,
      event_id INTEGER NOT NULL REFERENCES webhook_events (id),
      dead_status INTEGER,
      dead_error TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX webhook_delivery_by_subject ON webhook_deliveries (subject);
    CREATE INDEX webhook_delivery_parked ON webhook_deliveries (subscription_id) WHERE state = 'parked';
    CREATE INDEX webhook_delivery_settled ON webhook_deliveries (created_at) WHERE state <> 'pending';
    CREATE INDEX webhook_delivery_by_event ON webhook_deliveries (event_id);
    CREATE INDEX webhook_delivery_by_subscription ON webhook_deliveries (subscription_id);
    CREATE INDEX webhook_delivery_by_due ON webhook_deliveries (subscription_id, next_attempt_at, id, attempts, created_at)
      WHERE state = 'pending';
    CREATE INDEX webhook_delivery_dead ON webhook_deliveries (subscription_id, dead_error, dead_status, created_at)
      WHERE state = 'dead';

    CREATE TABLE webhook_attempts (
      id INTEGER PRIMARY KEY,
      delivery_id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      status INTEGER,
      ms INTEGER NOT NULL,
      error TEXT,
      answer TEXT
    ) STRICT;
    CREATE INDEX webhook_attempt_by_delivery ON webhook_attempts (delivery_id);
`;
