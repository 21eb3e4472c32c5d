import Database from "better-sqlite3";
import type { World } from "../world.ts";

export interface Fork {
  world: World;
  /** Who asked for the restore; null when nobody signed in did. */
  by: string | null;
  /** The backup that `file` is a copy of. */
  backup: string;
  /** The data file that is set aside for it; it may be missing or damaged, and is never written to. */
  replaced: string | null;
}

/**
 * Makes `file`, the copy of a backup that is about to become the data file, a history of its own: a new epoch sends
 * every terminal back to a full SYNC.
 */
export function forkHistory(file: string, { world }: Fork): void {
  const db = new Database(file);
  // A copy made in the middle of a commit group may hold rows whose seq was not yet counted.
  db.prepare(`
    UPDATE hub_state SET epoch = ?, seq = max(seq,
      (SELECT coalesce(max(seq), 0) FROM orders), (SELECT coalesce(max(seq), 0) FROM removed_orders),
      (SELECT coalesce(max(seq), 0) FROM tables), (SELECT coalesce(max(seq), 0) FROM plugin_records))`).run(
    world.random.uuid(),
  );
  db.close();
}
