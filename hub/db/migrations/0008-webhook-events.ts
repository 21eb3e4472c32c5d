import type { Database } from "better-sqlite3";

/**
 * What webhooks tell is stored once for all subscriptions to it. A delivery from before has it in its own `content`, which
 * is empty in the later ones, until it is pruned. And the indexes from which lists and counts are answered without reading
 * what else the table holds.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE webhook_events (
      id INTEGER PRIMARY KEY,
      event TEXT NOT NULL,
      content TEXT NOT NULL
    ) STRICT;
    ALTER TABLE webhook_deliveries ADD COLUMN event_id INTEGER REFERENCES webhook_events (id);
    CREATE INDEX webhook_delivery_by_event ON webhook_deliveries (event_id);
    CREATE INDEX webhook_delivery_by_subscription ON webhook_deliveries (subscription_id);

    DROP INDEX webhook_delivery_by_due;
    CREATE INDEX webhook_delivery_by_due ON webhook_deliveries (subscription_id, next_attempt_at, id, attempts, created_at)
      WHERE state = 'pending';

    -- How its last attempt failed, so that dead letters are grouped without reading their attempts.
    ALTER TABLE webhook_deliveries ADD COLUMN dead_status INTEGER;
    ALTER TABLE webhook_deliveries ADD COLUMN dead_error TEXT;
    UPDATE webhook_deliveries SET (dead_status, dead_error) = (
        SELECT status, coalesce(error, CASE WHEN status IS NULL THEN 'interrupted' ELSE 'http_error' END)
        FROM webhook_attempts WHERE delivery_id = webhook_deliveries.id ORDER BY id DESC LIMIT 1)
      WHERE state = 'dead';
    DROP INDEX webhook_delivery_dead;
    CREATE INDEX webhook_delivery_dead ON webhook_deliveries (subscription_id, dead_error, dead_status, created_at)
      WHERE state = 'dead';

    DROP INDEX hub_event_waiting;
    CREATE INDEX hub_event_waiting ON hub_events (id, state, created_at, next_attempt_at) WHERE forwarded = 0;
    CREATE INDEX forward_attempt_failed ON forward_attempts (id) WHERE outcome IN ('failed', 'refused');

    CREATE INDEX audit_by_subject ON audit_log (subject);
  `);
}
