import type { Database } from "better-sqlite3";

/**
 * User and password of a webhook's address lie apart from it, encrypted as its secret is. Where an address holds them as they
 * are, the start that follows moves them and rewrites the file.
 */
export function migrate(db: Database): void {
  db.exec(`
    ALTER TABLE webhook_subscriptions ADD COLUMN credentials TEXT;
    UPDATE hub_state SET holds_plain_secrets = 1
    WHERE EXISTS (SELECT 1 FROM webhook_subscriptions WHERE url LIKE '%://%@%');
  `);
}
