import type { Since } from "@comanda/protocol";
import { forkEpoch, noteFormerEpoch, noteLostTail } from "../db/restore/fork-history.ts";
import type { Db } from "../db/open.ts";
import type { World } from "../platform/world.ts";
import type { Stores } from "../stores/create-stores.ts";
import type { SyncBuilder } from "../terminals/sync/sync.ts";

/** A new epoch makes every terminal reload everything, so forks are at least this far apart. */
const FORK_EVERY_MS = 60_000;

/** Handles a data file that lacks its last changes. */
export function createLostTail(deps: Pick<Stores, "watch" | "changes"> & { world: World; db: Db; sync: SyncBuilder }) {
  const { world, db, watch, changes, sync } = deps;
  let forkedAt = -Infinity;

  /** Records the loss: open checks may have been paid, and assigned numbers must not be assigned again. */
  function note(): Promise<void> {
    return changes.write((tx) => {
      noteLostTail(db, world);
      tx.notify(["losses"]);
    });
  }

  /** Begins a new epoch unless one just began: other terminals may have seen lost changes under numbers since reassigned. */
  function fork(): boolean {
    const now = world.clock.monotonic();
    if (now - forkedAt < FORK_EVERY_MS) return false;
    forkedAt = now;
    forkEpoch(db, world);
    return true;
  }

  function takeProof(since: Since): Promise<void> {
    return changes.write((tx) => {
      // Another terminal may have proven it a moment ago.
      const proof = sync.proofIn(since);
      if (proof === null || (proof === "lost_present" && !fork())) return;
      if (proof === "unknown_epoch") return noteFormerEpoch(db, since.epoch);
      noteLostTail(db, world);
      tx.notify(["losses"]);
    });
  }

  return {
    note,
    /** Records a loss that a terminal's position proves: it was signed by this hub and is ahead of the data file. */
    async reportProofOf(since: Since | undefined): Promise<void> {
      const proof = since === undefined ? null : sync.proofIn(since);
      if (since === undefined || proof === null) return;
      // On a full disk, the terminal is still admitted, and its next sign-in proves the loss again.
      await takeProof(since).catch((error: unknown) => {
        world.log.error({ err: error }, "what a terminal has proven cannot be noted");
      });
      if (proof === "unknown_epoch") return;
      watch.report("lost_changes", "a terminal has seen changes that the data file does not hold any more");
    },
  };
}
