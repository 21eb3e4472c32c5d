import { statfsSync } from "node:fs";
import path from "node:path";
import { terminalLimits } from "@comanda/protocol";
import type { Identities } from "./back-office/identities.ts";
import type { Notice } from "./changes/change.ts";
import type { ChangeLog } from "./changes/change-log.ts";
import { listBackups, makeBackup } from "./db/backup.ts";
import type { Db } from "./db/open.ts";
import { createLoop } from "./loop.ts";
import type { MutationStore } from "./orders/mutation-store.ts";
import type { TrustedTime } from "./trusted-time.ts";
import type { World } from "./world.ts";

export type Upkeep = ReturnType<typeof createUpkeep>;

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
const LOW_DISK_BYTES = 256 * 1024 * 1024;
/** Rows that one transaction takes away, so that nobody waits for it. */
const SLICE = 500;

/** The hub's housekeeping: daily backup, what may be forgotten, the room left on the disk. */
export function createUpkeep(deps: {
  world: World;
  time: TrustedTime;
  db: Db;
  changes: ChangeLog;
  identities: Identities;
  mutations: MutationStore;
  dbPath: string;
  backupDir: string;
  /** Copies the write-ahead log into the data file. */
  checkpoint: () => Promise<void>;
}) {
  const { world, time, db, changes, identities, mutations, dbPath, backupDir } = deps;
  let diskLow = false;
  let backedUpAt: number | null = null;
  const loop = createLoop(world, "upkeep", EVERY_MS, run);

  async function run(): Promise<void> {
    const wasLow = diskLow;
    diskLow = freeBytes() < LOW_DISK_BYTES;
    if (diskLow && !wasLow) await tellScreens({ kind: "disk_low", level: "bad" });
    await backUpDaily().catch(async (error: unknown) => {
      await tellScreens({ kind: "backup_failed", level: "bad" });
      throw error;
    });
    if (!time.isConfirmed()) return;
    await changes.write(() => identities.prune());
    const before = time.now() - terminalLimits.mutationMemoryMs;
    while ((await changes.write(() => mutations.prune(before, SLICE))) === SLICE) {
      // the next slice is a transaction of its own
    }
  }

  async function backUpDaily(): Promise<void> {
    if (diskLow || !isBackupDue()) return;
    const made = await makeBackup(db, backupDir, "daily", world, changes.hold);
    backedUpAt = world.clock.monotonic();
    world.log.info({ file: made.path, bytes: made.bytes }, "daily backup made");
    // The copy holds what the log holds: a good moment to empty it.
    await deps.checkpoint();
    await tellScreens({ kind: "backup_made", level: "info", detail: { text: made.name } });
  }

  function tellScreens(feed: NonNullable<Notice["feed"]>): Promise<void> {
    return changes.write((tx) => tx.emit({ kind: "notice", notice: { topics: ["backups", "data_file"], feed } }));
  }

  /** A day after the last of this run; at the start, when no file is from within a day, before or after: clocks are put back. */
  function isBackupDue(): boolean {
    if (backedUpAt !== null) return world.clock.monotonic() - backedUpAt >= DAY_MS;
    const daily = listBackups(backupDir).filter((backup) => backup.kind === "daily");
    const ages = daily.map((backup) => world.clock.now() - backup.createdAt);
    return !ages.some((ageMs) => Math.abs(ageMs) < DAY_MS);
  }

  function freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(path.dirname(dbPath));
      return bavail * bsize;
    } catch {
      return Infinity;
    }
  }

  return {
    start: loop.start,
    stop: loop.stop,
    isDiskLow: (): boolean => diskLow,
    /** Room left beside the data file; null when it cannot be told. */
    freeBytes(): number | null {
      const free = freeBytes();
      return Number.isFinite(free) ? free : null;
    },
  };
}
