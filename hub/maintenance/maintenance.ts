import path from "node:path";
import { hubLimits } from "@comanda/protocol";
import type { Identities } from "../back-office/identities.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { SLICE_ROWS, writeInSlices } from "../changes/write-in-slices.ts";
import { freeBytes, knownFreeBytes, LOW_DISK_BYTES } from "../db/files/disk-space.ts";
import type { MutationStore } from "../orders/store/mutation-store.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";

export type Maintenance = ReturnType<typeof createMaintenance>;

const EVERY_MS = 60_000;

/** Deletes old data and checks the free disk space once a minute. */
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
    if (diskLow && !wasLow) await changes.write((tx) => tx.notify(["data_file"], { kind: "disk_low", level: "bad" }));
    if (!time.isConfirmed()) return;
    await changes.write(() => identities.prune());
    const before = time.now() - hubLimits.mutationMemoryMs;
    await writeInSlices(changes, () => mutations.prune(before, SLICE_ROWS));
  }

  return {
    start: loop.start,
    stop: loop.stop,
    isDiskLow: (): boolean => diskLow,
    /** Free space on the data file's disk, or null if the system does not report it. */
    freeBytes: (): number | null => knownFreeBytes(folder),
  };
}
