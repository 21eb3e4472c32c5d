import type { Database } from "better-sqlite3";
import type { World } from "../../platform/world.ts";

/** Times are ms since 1970; JSON is text. `seq` is the hub's one counter of shared state. */
export function migrate(db: Database, world: World): void {
  db.exec(`
    CREATE TABLE hub_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      hub_id TEXT NOT NULL,
      epoch TEXT NOT NULL,
      seq INTEGER NOT NULL,
      low_water_seq INTEGER NOT NULL,
      digest_key BLOB NOT NULL
    ) STRICT;

    CREATE TABLE order_versions (
      id INTEGER PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      origin TEXT NOT NULL,
      user_name TEXT,
      kind TEXT NOT NULL,
      is_content INTEGER NOT NULL,
      at INTEGER NOT NULL,
      body TEXT NOT NULL,
      checksum INTEGER NOT NULL,
      previous_id INTEGER
    ) STRICT;
    CREATE INDEX order_version_paid ON order_versions (at) WHERE kind = 'paid';

    CREATE TABLE orders (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      body_id INTEGER NOT NULL REFERENCES order_versions (id),
      seq INTEGER NOT NULL,
      status TEXT NOT NULL,
      is_active INTEGER NOT NULL,
      table_id INTEGER,
      check_number INTEGER,
      order_type TEXT NOT NULL,
      search_text TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      forward TEXT NOT NULL DEFAULT '{"state":"none"}'
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_by_seq ON orders (seq);
    CREATE INDEX order_active ON orders (table_id) WHERE is_active = 1;

    CREATE TABLE removed_orders (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      last_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      origin TEXT NOT NULL,
      reason TEXT,
      removed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX removed_order_by_seq ON removed_orders (seq);

    CREATE TABLE kitchen_tickets (
      ticket_id TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE mutations (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE unapplied_payments (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL UNIQUE,
      pos_reference TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      error_code TEXT NOT NULL,
      error TEXT NOT NULL,
      body TEXT NOT NULL,
      checksum INTEGER NOT NULL,
      at INTEGER NOT NULL,
      settled_at INTEGER,
      settled_by TEXT,
      settled_note TEXT
    ) STRICT;
    CREATE INDEX unapplied_payment_open ON unapplied_payments (id) WHERE settled_at IS NULL;

    CREATE TABLE ticket_counters (
      order_type TEXT NOT NULL,
      day TEXT NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (order_type, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tables (
      table_id INTEGER PRIMARY KEY,
      status TEXT NOT NULL,
      pos_reference TEXT,
      updated_at INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      lock TEXT
    ) STRICT;
    CREATE INDEX table_by_seq ON tables (seq);

    CREATE TABLE leases (
      pos_reference TEXT PRIMARY KEY,
      lease_id TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

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
      back_office_order_id TEXT,
      done_outcome TEXT,
      done_ms INTEGER
    ) STRICT;
    CREATE INDEX hub_event_waiting ON hub_events (id) WHERE forwarded = 0;
    CREATE INDEX hub_event_by_reference ON hub_events (pos_reference);

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

    CREATE TABLE external_keys (
      key_id TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      label TEXT NOT NULL,
      scopes TEXT NOT NULL,
      is_enabled INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE plugin_records (
      plugin_id TEXT NOT NULL,
      key TEXT NOT NULL,
      payload TEXT,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      expires_at INTEGER,
      is_removed INTEGER NOT NULL DEFAULT 0,
      seq INTEGER NOT NULL,
      PRIMARY KEY (plugin_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plugin_record_by_seq ON plugin_records (seq);
    CREATE INDEX plugin_record_by_expiry ON plugin_records (expires_at) WHERE is_removed = 0 AND expires_at IS NOT NULL;

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
      last_failure_error TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE webhook_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      subscription_id TEXT NOT NULL,
      event TEXT NOT NULL,
      subject TEXT NOT NULL,
      content TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'pending',
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      settled_at INTEGER
    ) STRICT;
    CREATE INDEX webhook_delivery_by_due ON webhook_deliveries (subscription_id, next_attempt_at, id) WHERE state = 'pending';
    CREATE INDEX webhook_delivery_by_subject ON webhook_deliveries (subject);
    CREATE INDEX webhook_delivery_dead ON webhook_deliveries (subscription_id, id) WHERE state = 'dead';
    CREATE INDEX webhook_delivery_parked ON webhook_deliveries (subscription_id) WHERE state = 'parked';
    CREATE INDEX webhook_delivery_settled ON webhook_deliveries (created_at) WHERE state <> 'pending';

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

    CREATE TABLE identities (
      digest TEXT PRIMARY KEY,
      identity TEXT NOT NULL,
      confirmed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE remembered (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

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
      outbox_oldest_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE audit_log (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      user_name TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT,
      detail TEXT
    ) STRICT;
  `);
  db.prepare(
    "INSERT INTO hub_state (id, hub_id, epoch, seq, low_water_seq, digest_key) VALUES (1, @hubId, @epoch, 0, 0, @digestKey)",
  ).run({ hubId: world.random.uuid(), epoch: world.random.uuid(), digestKey: world.random.bytes(32) });
}
