import type { Database } from "better-sqlite3";

/**
 * From when a token counts, whether it was revoked (2: and what came with it afterwards was told), whether it only approves,
 * and what it approved. Since when a device has had nothing unsent.
 */
export function migrate(db: Database): void {
  db.exec(`
    ALTER TABLE actor_tokens ADD COLUMN given_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE actor_tokens ADD COLUMN revoked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE actor_tokens ADD COLUMN is_approval INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE actor_tokens ADD COLUMN approved TEXT;
    ALTER TABLE terminals ADD COLUMN outbox_empty_at INTEGER;
  `);
}
