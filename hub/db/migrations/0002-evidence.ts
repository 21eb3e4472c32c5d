import { crc32 } from "node:zlib";
import type { Database } from "better-sqlite3";

/**
 * What tells a whole data file from one that is damaged, behind or not ours: how the last run ended, which histories
 * came before this one, and a checksum over every row that money depends on. Needs the SQL function `seal`.
 */
export function migrate(db: Database): void {
  db.exec(`
    -- 0 while a hub runs on the file; a start that finds 0 follows a crash, a power cut or a copy of a running file.
    ALTER TABLE hub_state ADD COLUMN is_clean INTEGER NOT NULL DEFAULT 1;
    -- Counts restores, so that of two backups the one of the later history is the newer, whatever the clock said.
    ALTER TABLE hub_state ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
    -- Which data file a backup was made of: several hubs may share a folder.
    ALTER TABLE hub_state ADD COLUMN file_name TEXT;
    -- JSON [{epoch, seq}]: the former epochs of this file with the last seq of each, newest last.
    ALTER TABLE hub_state ADD COLUMN former_epochs TEXT NOT NULL DEFAULT '[]';

    ALTER TABLE hub_events ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    UPDATE hub_events SET checksum = seal(type, pos_reference, version, created_at, forwarded);
  `);
  const payments = db.prepare<[], { id: number; body: string; checksum: number }>(
    "SELECT id, body, checksum FROM unapplied_payments",
  );
  const reseal = db.prepare<[number]>(`
    UPDATE unapplied_payments
    SET checksum = seal(mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at, settled_at,
      settled_by, settled_note)
    WHERE id = ?`);
  // A row that was damaged before keeps a checksum that does not fit.
  for (const { id, body, checksum } of payments.all()) if (crc32(body) === checksum) reseal.run(id);
}
