import type { Database } from "better-sqlite3";
import type { World } from "../../platform/world.ts";

/**
 * The schema of the first release. Times are ms since 1970; JSON is text. `seq` is the hub's one counter of shared state, and
 * `seal` what the hub keeps over each row that something depends on.
 */
export function migrate(db: Database, world: World): void {
  db.exec(`
    -- is_clean: 0 while a hub runs on the file; a start that finds 0 follows a crash, a power cut or a copy of a running file.
    -- generation: counts restores, so that of two backups the one of the later history is the newer, whatever the clock said.
    -- file_name: which data file a backup was made of: several hubs may share a folder.
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

    -- A packed version has '' as its body: packed is that body compressed (zstd), and earlier the versions before it, which
    -- have no rows of their own any more.
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
      previous_id INTEGER,
      packed BLOB,
      earlier BLOB,
      seal INTEGER
    ) STRICT;

    -- packing: how its versions are stored: 0 as they were written, 1 packed, 2 packed and thinned.
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
      forward TEXT NOT NULL DEFAULT '{"state":"none"}',
      packing INTEGER NOT NULL DEFAULT 0,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_by_seq ON orders (seq);
    CREATE INDEX order_active ON orders (table_id) WHERE is_active = 1;
    CREATE INDEX order_resting ON orders (packing, updated_at) WHERE is_active = 0;
    -- Orders whose forwarding waits for a person, among all that ever were.
    CREATE INDEX order_attention ON orders (seq) WHERE substr(forward, 1, 20) = '{"state":"attention"';

    -- reason: a person's own words; merged_into: a JSON list of the checks that its lines went to, null for a discard.
    CREATE TABLE removed_orders (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      last_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      origin TEXT NOT NULL,
      reason TEXT,
      merged_into TEXT,
      removed_at INTEGER NOT NULL,
      packing INTEGER NOT NULL DEFAULT 0,
      search_text TEXT NOT NULL DEFAULT '',
      check_number INTEGER,
      table_id INTEGER,
      order_type TEXT NOT NULL DEFAULT '',
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX removed_order_by_seq ON removed_orders (seq);
    CREATE INDEX removed_order_resting ON removed_orders (packing, removed_at);

    CREATE TABLE mutations (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL,
      seal INTEGER
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
      at INTEGER NOT NULL,
      settled_at INTEGER,
      settled_by TEXT,
      settled_note TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX unapplied_payment_open ON unapplied_payments (id) WHERE settled_at IS NULL;
    CREATE INDEX unapplied_payment_by_reference ON unapplied_payments (pos_reference);

    CREATE TABLE ticket_counters (
      order_type TEXT NOT NULL,
      day TEXT NOT NULL,
      last INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (order_type, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tables (
      table_id INTEGER PRIMARY KEY,
      status TEXT NOT NULL,
      pos_reference TEXT,
      updated_at INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      lock TEXT,
      seal INTEGER
    ) STRICT;
    CREATE INDEX table_by_seq ON tables (seq);

    CREATE TABLE leases (
      pos_reference TEXT PRIMARY KEY,
      lease_id TEXT NOT NULL,
      terminal_id TEXT NOT NULL,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      seal INTEGER
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
      seal INTEGER,
      PRIMARY KEY (plugin_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plugin_record_by_seq ON plugin_records (seq);
    CREATE INDEX plugin_record_by_expiry ON plugin_records (expires_at)
      WHERE is_removed = 0 AND expires_at IS NOT NULL;
    -- A removed record leaves a row behind; these are the others.
    CREATE INDEX plugin_record_live ON plugin_records (plugin_id, key) WHERE is_removed = 0;

    -- gathered_from, gathered_to: the first and, where there is one, the last of the events that have no delivery for it yet.
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

    CREATE TABLE identities (
      digest TEXT PRIMARY KEY,
      identity TEXT NOT NULL,
      confirmed_at INTEGER NOT NULL,
      session TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE remembered (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      at INTEGER NOT NULL,
      seal INTEGER
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
      outbox_oldest_at INTEGER,
      key_digest TEXT,
      outbox_payments INTEGER,
      outbox_amount REAL,
      is_confirmed INTEGER NOT NULL DEFAULT 1,
      outbox_empty_at INTEGER,
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

    -- body: a stored order as order_versions keeps it; detail: what the back-office said, as JSON; sources: a JSON list of
    -- who knows of it.
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

    CREATE TABLE lookup_questions (
      pos_reference TEXT PRIMARY KEY,
      why TEXT NOT NULL,
      answered_at INTEGER,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE version_floors (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ended_sessions (
      digest TEXT PRIMARY KEY,
      ended_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- What was paid when, for the totals of the session; they must not depend on versions that are packed.
    CREATE TABLE takings (
      at INTEGER NOT NULL,
      pos_reference TEXT NOT NULL,
      total REAL NOT NULL,
      payments TEXT NOT NULL,
      seal INTEGER,
      PRIMARY KEY (at, pos_reference)
    ) STRICT, WITHOUT ROWID;

    -- What webhooks send, once for all deliveries of it.
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

    CREATE TABLE order_counts (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kept INTEGER NOT NULL,
      removed INTEGER NOT NULL
    ) STRICT;
    INSERT INTO order_counts (id, kept, removed) VALUES (1, 0, 0);
    CREATE TRIGGER order_added AFTER INSERT ON orders BEGIN
      UPDATE order_counts SET kept = kept + 1;
    END;
    CREATE TRIGGER order_taken AFTER DELETE ON orders BEGIN
      UPDATE order_counts SET kept = kept - 1;
    END;
    CREATE TRIGGER removal_added AFTER INSERT ON removed_orders BEGIN
      UPDATE order_counts SET removed = removed + 1;
    END;
    CREATE TRIGGER removal_taken AFTER DELETE ON removed_orders BEGIN
      UPDATE order_counts SET removed = removed - 1;
    END;

    -- One that is over is packed as versions of orders are: body is empty then.
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

    CREATE TABLE payment_identities (
      identity TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      content TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payment_identity_by_reference ON payment_identities (pos_reference);

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

    -- Payments on credit of orders that the back-office has not confirmed.
    CREATE TABLE unconfirmed_credit (
      pos_reference TEXT NOT NULL,
      customer_id TEXT NOT NULL,
      amount REAL NOT NULL,
      is_unchecked INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX unconfirmed_credit_by_reference ON unconfirmed_credit (pos_reference);
    CREATE INDEX unconfirmed_credit_by_customer ON unconfirmed_credit (customer_id);

    CREATE TABLE people (
      user_id INTEGER PRIMARY KEY,
      user_name TEXT NOT NULL,
      role TEXT NOT NULL,
      permissions TEXT NOT NULL,
      pin_salt BLOB,
      pin_digest BLOB,
      pin_set_at INTEGER,
      login TEXT,
      confirmed_at INTEGER,
      pin_digits INTEGER,
      seal INTEGER
    ) STRICT;

    CREATE TABLE pin_misses (
      user_id INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      misses INTEGER NOT NULL,
      locked_until INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (user_id, device_id)
    ) STRICT, WITHOUT ROWID;

    -- revoked: 2 when what came with it afterwards was reported.
    CREATE TABLE actor_tokens (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      is_pin INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      given_at INTEGER NOT NULL DEFAULT 0,
      revoked INTEGER NOT NULL DEFAULT 0,
      is_approval INTEGER NOT NULL DEFAULT 0,
      approved TEXT,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX actor_token_by_expiry ON actor_tokens (expires_at);

    CREATE TABLE version_people (
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      user_name TEXT NOT NULL,
      approved_by TEXT,
      seal INTEGER,
      PRIMARY KEY (pos_reference, version)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE customers (
      customer_id TEXT PRIMARY KEY,
      content TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX customer_by_use ON customers (used_at);

    CREATE TABLE joined_tables (
      table_id INTEGER NOT NULL,
      pos_reference TEXT NOT NULL,
      seal INTEGER,
      PRIMARY KEY (table_id, pos_reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX joined_table_by_order ON joined_tables (pos_reference);

    CREATE TABLE item_states (
      product_id TEXT PRIMARY KEY,
      seq INTEGER NOT NULL,
      -- When it came to be as scarce as it is, in ms since 1970: what was queued before is sold all the same.
      since INTEGER NOT NULL,
      -- When it is available again, in ms since 1970.
      until INTEGER,
      is_available INTEGER NOT NULL,
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_state_by_seq ON item_states (seq);
    CREATE INDEX item_state_scarce ON item_states (until) WHERE is_available = 0;

    -- Which columns the seal of a row covers, by table (see integrity/sealed-tables.ts).
    CREATE TABLE seals (
      table_name TEXT PRIMARY KEY,
      columns TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- Sessions that were opened at terminals, by keyed digests of all their tokens: they are good for nothing else.
    CREATE TABLE terminal_sessions (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX terminal_session_by_user ON terminal_sessions (user_id, used_at);

    -- Wrong PINs and new devices of the last hour, against guessing.
    CREATE TABLE hourly_counts (
      id INTEGER PRIMARY KEY,
      subject TEXT NOT NULL,
      at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX hourly_count_by_subject ON hourly_counts (subject, at);
    CREATE INDEX hourly_count_by_time ON hourly_counts (at);

    CREATE TABLE device_people (
      device_id TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      is_manager INTEGER NOT NULL,
      seal INTEGER,
      PRIMARY KEY (device_id, user_id)
    ) STRICT, WITHOUT ROWID;

    -- What came from terminals with a revoked token and waits for a manager, or was decided by one.
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

    CREATE TABLE packed_tickets (
      ticket_key INTEGER NOT NULL,
      version_id INTEGER NOT NULL,
      PRIMARY KEY (ticket_key, version_id)
    ) STRICT, WITHOUT ROWID;

    -- What was given back of paid checks, stored before the back-office is asked. body: the refund as JSON; asks_all: all that
    -- was left was asked for, without naming lines.
    CREATE TABLE refunds (
      refund_id TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'made')),
      is_in_doubt INTEGER NOT NULL DEFAULT 0 CHECK (is_in_doubt IN (0, 1)),
      asks_all INTEGER NOT NULL CHECK (asks_all IN (0, 1)),
      body TEXT NOT NULL,
      at INTEGER NOT NULL,
      made_at INTEGER,
      seal INTEGER
    ) STRICT;
    CREATE INDEX refund_by_order ON refunds (pos_reference);
    CREATE INDEX refund_by_time ON refunds (made_at) WHERE made_at IS NOT NULL;
    CREATE INDEX refund_pending ON refunds (refund_id) WHERE state = 'pending';

    -- body: a printer as JSON.
    CREATE TABLE printers (
      printer_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- body: which printer prints what, as JSON.
    CREATE TABLE print_routes (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT;

    -- cause and printer_id are the key of a job that is no copy. sent_to: the printer that it goes to, the fallback of its
    -- own or itself. has_begun: bytes of it may have left. is_open: a person is told of it. pulse: whether it opens a drawer.
    CREATE TABLE print_jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id TEXT NOT NULL UNIQUE,
      cause TEXT NOT NULL,
      printer_id TEXT NOT NULL,
      sent_to TEXT NOT NULL,
      document TEXT NOT NULL,
      state TEXT NOT NULL,
      blocks TEXT NOT NULL,
      pos_reference TEXT,
      station_id TEXT,
      terminal_id TEXT,
      held_until INTEGER,
      pulse TEXT,
      copy INTEGER NOT NULL DEFAULT 0,
      copy_of TEXT,
      created_at INTEGER NOT NULL,
      printed_at INTEGER,
      has_begun INTEGER NOT NULL DEFAULT 0,
      is_open INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      seal INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX print_job_original ON print_jobs (cause, printer_id) WHERE copy_of IS NULL;
    CREATE INDEX print_job_by_cause ON print_jobs (cause, printer_id);
    CREATE INDEX print_job_unfinished ON print_jobs (sent_to, id) WHERE state IN ('held', 'waiting', 'printing');
    CREATE INDEX print_job_open ON print_jobs (terminal_id, id) WHERE is_open = 1;
    CREATE INDEX print_job_finished ON print_jobs (created_at) WHERE state NOT IN ('held', 'waiting', 'printing');

    -- Drawers. terminals: a JSON list of those whose money lies in it.
    CREATE TABLE tills (
      till_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      printer TEXT,
      terminals TEXT NOT NULL,
      seq INTEGER NOT NULL,
      is_removed INTEGER NOT NULL DEFAULT 0,
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

    -- What headquarters are to know and takes no seq. body: as JSON.
    CREATE TABLE chain_facts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      is_money INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    -- The headquarters that this hub belongs to, if any. enrolled: what they said, as JSON; seed: of the hub's nkey, encrypted.
    CREATE TABLE chain_link (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      address TEXT NOT NULL,
      enrolled TEXT NOT NULL,
      public_key TEXT NOT NULL,
      seed TEXT NOT NULL,
      at INTEGER NOT NULL,
      by_name TEXT NOT NULL,
      seal INTEGER
    ) STRICT;
    CREATE INDEX chain_fact_without_money ON chain_facts (id) WHERE is_money = 0;
  `);
  db.prepare(
    "INSERT INTO hub_state (id, hub_id, epoch, seq, low_water_seq, digest_key) VALUES (1, @hubId, @epoch, 0, 0, @digestKey)",
  ).run({ hubId: world.random.uuid(), epoch: world.random.uuid(), digestKey: world.random.bytes(32) });
}
