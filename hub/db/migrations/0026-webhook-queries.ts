import type { Database } from "better-sqlite3";

/**
 * The query of a webhook's address lies with its user and password, encrypted. Where an address holds one as it is, the start
 * that follows moves it and rewrites the file.
 */
export function migrate(db: Database): void {
  db.exec(`
    UPDATE hub_state SET holds_plain_secrets = 1
    WHERE EXISTS (SELECT 1 FROM webhook_subscriptions WHERE url LIKE '%?%');
  `);
}
