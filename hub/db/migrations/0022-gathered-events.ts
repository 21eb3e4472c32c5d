import type { Database } from "better-sqlite3";

/**
 * What waits for a receiver that does not answer is a range of events, not a delivery for each; and the content of events is
 * packed. Events therefore know by themselves what they are about and how old they are.
 */
export function migrate(db: Database): void {
  db.exec(`
    ALTER TABLE webhook_events ADD COLUMN subject TEXT NOT NULL DEFAULT '';
    ALTER TABLE webhook_events ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE webhook_events ADD COLUMN packed BLOB;
    UPDATE webhook_events SET (subject, created_at) = (
        SELECT subject, created_at FROM webhook_deliveries WHERE event_id = webhook_events.id LIMIT 1)
      WHERE EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = webhook_events.id);
    CREATE INDEX webhook_event_by_name ON webhook_events (event, id);
    CREATE INDEX webhook_event_by_age ON webhook_events (created_at);
    CREATE INDEX webhook_event_as_written ON webhook_events (created_at) WHERE packed IS NULL;

    -- The first and, where there is one, the last of the events that have no delivery for this subscription yet.
    ALTER TABLE webhook_subscriptions ADD COLUMN gathered_from INTEGER;
    ALTER TABLE webhook_subscriptions ADD COLUMN gathered_to INTEGER;
  `);
}
