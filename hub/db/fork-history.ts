import Database from "better-sqlite3";
import type { World } from "../world.ts";
import { migrate } from "./migrate.ts";

export interface Fork {
  world: World;
  /** Who asked for the restore; null when nobody signed in did. */
  by: string | null;
  /** The backup that `file` is a copy of. */
  backup: string;
  /** The data file that is set aside for it; it may be missing or damaged, and is never written to. */
  replaced: string | null;
  /** The number of this history among those of this hub: above that of every backup. */
  generation: number;
}

/**
 * Makes `file`, the copy of a backup that is about to become the data file, a history of its own, in the present schema: a
 * new epoch sends every terminal back to a full SYNC.
 */
export function forkHistory(file: string, { world, generation }: Fork): void {
  const db = new Database(file);
  try {
    migrate(db, world);
    // A copy made in the middle of a commit group may hold rows whose seq was not yet counted.
    db.prepare(`
      UPDATE hub_state SET epoch = @epoch, is_clean = 1, generation = @generation, former_epochs = '[]', seq = max(seq,
        (SELECT coalesce(max(seq), 0) FROM orders), (SELECT coalesce(max(seq), 0) FROM removed_orders),
        (SELECT coalesce(max(seq), 0) FROM tables), (SELECT coalesce(max(seq), 0) FROM plugin_records))`).run({
      epoch: world.random.uuid(),
      generation,
    });
  } finally {
    db.close();
  }
}
