import type { Since } from "@comanda/protocol";
import type { Stores } from "./create-stores.ts";
import { forkEpoch, noteLostTail } from "./db/fork-history.ts";
import type { Db } from "./db/open.ts";
import type { World } from "./platform/world.ts";
import type { SyncBuilder } from "./terminals/sync.ts";

/** What follows when the data file turns out to lack its last changes. */
export function createLostTail(db: Db, { changes, watch }: Stores, sync: SyncBuilder, world: World) {
  let isNoted = false;

  /** Once in a run: what is open here may have been paid, and numbers that were given must not be given again. */
  async function note(): Promise<void> {
    if (isNoted) return;
    isNoted = true;
    await changes.write((tx) => {
      noteLostTail(db, world);
      tx.notify(["losses"]);
    });
  }

  return {
    note,
    /**
     * A terminal that has seen more than the data file holds proves that the file lost changes. Others may have seen them
     * too, under numbers that were since given again: a new epoch makes every terminal read everything.
     */
    async noteSeenBy(since: Since | undefined): Promise<void> {
      const loss = sync.lossSeenBy(since);
      if (loss === null) return;
      if (loss.isPresentEpoch) await changes.read(() => forkEpoch(db, world));
      await note();
      watch.report("lost_changes", "a terminal has seen changes that the data file does not hold any more");
    },
  };
}
