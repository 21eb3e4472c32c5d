import type { SecondFolder, SecondFolderFailure } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import type { Memory } from "../db/remembered.ts";
import type { SecondFolderStep } from "../db/backups/second-folder.ts";
import { createJobs, JobCancelled } from "../jobs/jobs.ts";
import { codeOf, messageOf } from "../platform/error-facts.ts";
import { createLoop } from "../platform/loop.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime, type World } from "../platform/world.ts";
import { fillSecondFolderJob } from "./backup-jobs.ts";
import type { Backups } from "./backups.ts";
import { createFolderMemory } from "./second-folder-memory.ts";

const EVERY_MS = 60_000;
/** Interval of checks of a working folder: its disk may have been removed. */
const CHECK_MS = 10 * 60_000;
/** A network folder that takes longer for one step counts as not answering. */
const STEP_MS = 60_000;
/** How long a stop waits for a folder that does not answer. */
const STOP_MS = 2_000;
/** Interval of progress reports to the screens. */
const NOTIFY_EVERY_MS = 1_000;

const reasons: Readonly<Record<string, SecondFolderFailure["reason"]>> = {
  SECOND_MISSING: "missing",
  ENOENT: "missing",
  ENOTDIR: "missing",
  ENXIO: "missing",
  ENODEV: "missing",
  SECOND_SAME: "same_folder",
  EACCES: "not_writable",
  EPERM: "not_writable",
  EROFS: "not_writable",
  NO_SPACE: "no_space",
  ENOSPC: "no_space",
  EDQUOT: "no_space",
};

/**
 * Copies each good backup to a second folder. If it is slow, full or missing, retries every minute without delaying anything
 * else. Its jobs have their own threads, for which neither the hub's stop nor its checkpoints wait.
 */
export function createSecondFolder(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  backups: Backups;
  hubId: string;
  dbPath: string;
  backupDir: string;
  /** Null if none is configured. */
  secondBackupDir: string | null;
}) {
  const { world, changes, backups, hubId, dbPath, backupDir, secondBackupDir: folder } = deps;
  // A failure of the second disk says nothing about the data file's disk.
  const jobs = createJobs({ world, onFailure: () => {} });
  const stopping = new AbortController();
  const loop = createLoop(world, "second backup folder", EVERY_MS, run);
  const remembered = createFolderMemory({ ...deps, folder: folder ?? "" });
  let work: SecondFolderStep | null = null;
  /** Monotonic time of the job's last progress, or null if none is running. */
  let movedAt: number | null = null;
  let checkedAt = -Infinity;
  let notifiedAt = -Infinity;
  let isRequested = true;

  backups.onResult(({ ok }) => {
    if (!ok) return;
    isRequested = true;
    loop.wake();
  });

  async function run(): Promise<void> {
    const now = world.clock.monotonic();
    if (folder === null || !(isRequested || remembered.get().outage !== null || now - checkedAt >= CHECK_MS)) return;
    isRequested = false;
    checkedAt = now;
    try {
      const good = (await backups.listOwn()).flatMap(({ name }) => (backups.check(name)?.ok === true ? name : []));
      movedAt = world.clock.monotonic();
      const facts = await jobs.run(
        fillSecondFolderJob,
        { dir: backupDir, second: folder, dataFile: dbPath, hubId, good },
        { onChunk: report, signal: stopping.signal },
      );
      await remembered.remember({ ...remembered.get(), facts, outage: null });
    } catch (error) {
      if (error instanceof JobCancelled) return;
      const reason = reasons[codeOf(error)] ?? "failed";
      const detail = messageOf(error);
      const since = remembered.get().outage?.since ?? isoTime(world.clock.now());
      if (remembered.get().outage?.reason !== reason)
        world.log.warn({ reason, detail, folder }, "backups cannot be copied to the second folder");
      await remembered.remember({ ...remembered.get(), outage: { reason, detail, since } });
    } finally {
      work = null;
      movedAt = null;
    }
  }

  function report(step: SecondFolderStep): void {
    work = step;
    movedAt = world.clock.monotonic();
    if (movedAt - notifiedAt < NOTIFY_EVERY_MS) return;
    notifiedAt = movedAt;
    notifyScreens(changes, world, { topics: ["backups"] });
  }

  function failure(): SecondFolderFailure | null {
    if (movedAt !== null && world.clock.monotonic() - movedAt >= STEP_MS) {
      const since = remembered.get().outage?.since ?? isoTime(world.clock.now() - (world.clock.monotonic() - movedAt));
      return { reason: "not_answering", detail: "the folder does not answer", since };
    }
    return remembered.get().outage;
  }

  return {
    start: (): void => {
      if (folder !== null) loop.start();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await withTimeout(world, STOP_MS, Promise.all([loop.stop(), jobs.stop()]));
    },
    /** Returns null if no second folder is configured. */
    read(): SecondFolder | null {
      if (folder === null) return null;
      const { facts } = remembered.get();
      return {
        folder,
        copies: facts?.copies ?? 0,
        lastCopyAt: facts?.newestAt == null ? null : isoTime(facts.newestAt),
        freeBytes: facts?.freeBytes ?? null,
        sameDisk: facts?.isSameDisk ?? false,
        work,
        failure: failure(),
      };
    },
  };
}
