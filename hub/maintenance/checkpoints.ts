import type { ChangeLog } from "../changes/change-log.ts";
import type { DataFileWatch } from "../db/integrity/data-file-watch.ts";
import { sizeOf } from "../db/files/files.ts";
import { noteLastSeen, readPlace } from "../db/last-seen.ts";
import type { Db } from "../db/open.ts";
import { codeOf } from "../platform/error-facts.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";

const EVERY_MS = 2_000;
/** Under steady writes, changes are only in the log for at most this long. */
const MAX_INTERVAL_MS = 60_000;

/**
 * Copies the write-ahead log into the data file after a pause in writes, and once a minute under steady writes, so that losing
 * the log costs little. While the disk fails, tests whether a write succeeds.
 */
export function createCheckpoints(deps: {
  world: World;
  db: Db;
  changes: ChangeLog;
  watch: DataFileWatch;
  file: string;
  /** Whether the data file has other readers, for which truncating the log would have to wait. */
  isRead: () => boolean;
}) {
  const { world, db, changes, watch, file, isRead } = deps;
  const probe = db.prepare("UPDATE hub_state SET seq = seq");
  const checkpoint = db.prepare<[], { busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
  const checkpointPassively = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let lastAt = world.clock.monotonic();
  let sizeBefore = 0;

  /** Copies the write-ahead log into the data file. */
  async function now(): Promise<void> {
    const isDone = await changes.read(() => {
      if (!isCheckpointed()) return false;
      noteLastSeen(file, readPlace(db));
      return true;
    });
    if (!isDone) return;
    lastAt = world.clock.monotonic();
    sizeBefore = 0;
  }

  /** Returns false while the file has readers: then copies what it can, and the next run tries again. */
  function isCheckpointed(): boolean {
    if (isRead()) {
      checkpointPassively.get();
      return false;
    }
    try {
      return checkpoint.get()?.busy === 0;
    } catch (error) {
      if (codeOf(error).startsWith("SQLITE_LOCKED")) return false;
      throw error;
    }
  }

  const loop = createLoop(world, "checkpoints", EVERY_MS, async () => {
    if (watch.isDiskFailing()) {
      await changes.write(() => void probe.run());
      watch.diskWorks();
    }
    const size = sizeOf(`${file}-wal`) ?? 0;
    const isResting = size === sizeBefore;
    sizeBefore = size;
    if (size > 0 && (isResting || world.clock.monotonic() - lastAt >= MAX_INTERVAL_MS)) await now();
  });

  return { start: loop.start, stop: loop.stop, now };
}
