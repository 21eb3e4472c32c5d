import path from "node:path";
import { terminalLimits } from "@comanda/protocol";
import type { Identities } from "../back-office/identities.ts";
import type { Notice } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { freeBytes } from "../db/disk-space.ts";
import { createLoop } from "../platform/loop.ts";
import type { MutationStore } from "../orders/mutation-store.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { World } from "../platform/world.ts";

export type Maintenance = ReturnType<typeof createMaintenance>;

const EVERY_MS = 60_000;
const LOW_DISK_BYTES = 256 * 1024 * 1024;
/** Rows that one transaction takes away, so that nobody waits for it. */
const SLICE = 500;

/** The hub's housekeeping: what may be forgotten, the space left on the disk. */
export function createMaintenance(deps: {
  world: World;
  time: TrustedTime;
  changes: ChangeLog;
  identities: Identities;
  mutations: MutationStore;
  dbPath: string;
}) {
  const { world, time, changes, identities, mutations, dbPath } = deps;
  const folder = path.dirname(dbPath);
  let diskLow = false;
  const loop = createLoop(world, "maintenance", EVERY_MS, run);

  async function run(): Promise<void> {
    const wasLow = diskLow;
    diskLow = freeBytes(folder) < LOW_DISK_BYTES;
    if (diskLow && !wasLow) await tellScreens({ kind: "disk_low", level: "bad" });
    if (!time.isConfirmed()) return;
    await changes.write(() => identities.prune());
    const before = time.now() - terminalLimits.mutationMemoryMs;
    while ((await changes.write(() => mutations.prune(before, SLICE))) === SLICE) {
      // the next slice is a transaction of its own
    }
  }

  function tellScreens(feed: NonNullable<Notice["feed"]>): Promise<void> {
    return changes.write((tx) => tx.emit({ kind: "notice", notice: { topics: ["data_file"], feed } }));
  }

  return {
    start: loop.start,
    stop: loop.stop,
    isDiskLow: (): boolean => diskLow,
    /** Space left beside the data file; null when it cannot be told. */
    freeBytes(): number | null {
      const free = freeBytes(folder);
      return Number.isFinite(free) ? free : null;
    },
  };
}
