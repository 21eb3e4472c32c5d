import type { BackupWork } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import { timeOfBackup, type BackupFile } from "../db/backups/backup-files.ts";
import type { MadeBackup } from "../db/backups/make-backup.ts";
import type { Memory } from "../db/remembered.ts";
import type { BackupCheck } from "../db/backups/verify-backup.ts";
import { JobCancelled, type Jobs } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import { backUpJob, listBackupFilesJob, verifyBackupJob } from "./backup-jobs.ts";

export type Backups = ReturnType<typeof createBackups>;

export interface Check {
  ok: boolean;
  /** Ms since 1970. */
  at: number;
}

/** A verified backup; `isNew`: it has just been made. */
export interface BackupResult {
  ok: boolean;
  isNew: boolean;
}

const MEMORY = "backupChecks";
/** How often the screens are sent the progress of a backup. */
const NOTIFY_EVERY_MS = 1_000;

/** Makes, verifies and lists backups in worker threads, and remembers the result of each check. */
export function createBackups(deps: {
  world: World;
  jobs: Jobs;
  changes: ChangeLog;
  memory: Memory;
  dbPath: string;
  backupDir: string;
  /** Copies the write-ahead log into the data file. */
  checkpoint: () => Promise<void>;
}) {
  const { world, jobs, changes, memory, dbPath: file, backupDir: dir } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = new Set<BackupWork>();
  const listeners: ((result: BackupResult) => void)[] = [];
  /** Those that could not be read at all, for example for lack of space: not tried again by this hub. */
  const givenUp = new Set<string>();
  let lastListed: BackupFile[] | null = null;
  let making: Promise<unknown> = Promise.resolve();
  let isMaking = false;
  let judging: Promise<void> | null = null;
  let notifiedAt = -Infinity;

  function checks(): Record<string, Check> {
    return memory.read<Record<string, Check>>(MEMORY)?.value ?? {};
  }

  async function readFolder(): Promise<BackupFile[]> {
    lastListed = await jobs.query(listBackupFilesJob, { dir }, { signal });
    return lastListed;
  }

  async function list(): Promise<BackupFile[]> {
    const found = await readFolder();
    judgeNewest();
    return found;
  }

  /**
   * A backup that this data file knows nothing about counts as soon as it is verified: one from the command line, from
   * before a restore, or from a hub that was stopped right after making it. Older ones than the newest good one can wait.
   */
  function judgeNewest(): void {
    judging ??= judge()
      .catch((error: unknown) => {
        if (!(error instanceof JobCancelled)) world.log.warn({ err: error }, "backups could not be verified");
      })
      .finally(() => {
        judging = null;
      });
  }

  async function judge(): Promise<void> {
    for (let next = newestUnknown(); next !== undefined && !signal.aborted; next = newestUnknown()) {
      try {
        await verify(next, () => {});
      } catch (error) {
        givenUp.add(next.name);
        throw error;
      }
    }
  }

  /** The newest backup that may be good, unless that is known. */
  function newestUnknown(): BackupFile | undefined {
    // What is being made is verified by the same job.
    if (isMaking) return undefined;
    const known = checks();
    const next = lastListed?.find(({ name }) => known[name]?.ok !== false && !givenUp.has(name));
    return next === undefined || known[next.name]?.ok === true ? undefined : next;
  }

  async function verify(backup: BackupFile, note?: (tx: Tx, check: BackupCheck) => void): Promise<BackupCheck> {
    const { name, path } = backup;
    const found = await withProgress({ step: "verifying", name, progress: 0 }, (report) =>
      jobs.run(verifyBackupJob, { file: path }, { onChunk: (progress) => report({ progress: progress ?? 0 }), signal }),
    );
    if (note !== undefined) {
      await changes.write((tx) => {
        remember(tx, { name, ok: found.ok });
        note(tx, found);
        tx.notify(["backups"]);
      });
      announce({ ok: found.ok, isNew: false });
    }
    return found;
  }

  function announce(result: BackupResult): void {
    for (const listener of listeners) listener(result);
  }

  /** Shows the progress of a job on the screens, from its first step to its end. */
  async function withProgress<T>(
    first: BackupWork,
    run: (report: (step: Partial<BackupWork>) => void) => Promise<T>,
  ): Promise<T> {
    const current = { ...first };
    work.add(current);
    notify();
    try {
      return await run((step) => {
        Object.assign(current, step);
        if (world.clock.monotonic() - notifiedAt >= NOTIFY_EVERY_MS) notify();
      });
    } finally {
      work.delete(current);
      notify();
    }
  }

  function notify(): void {
    notifiedAt = world.clock.monotonic();
    notifyScreens(changes, world, { topics: ["backups"] });
  }

  async function makeNow(kind: "daily" | "manual", note: (tx: Tx, made: MadeBackup) => void): Promise<MadeBackup> {
    const bad = Object.entries(checks()).flatMap(([name, { ok }]) => (ok ? [] : [name]));
    const at = world.clock.now();
    const made = await withProgress({ step: "copying", name: null, progress: 0 }, (report) =>
      jobs.run(backUpJob, { file, dir, kind, at, bad }, { onChunk: report, signal }),
    );
    if (made.uncompressed !== null) {
      world.log.warn({ detail: made.uncompressed }, "an older backup could not be compressed");
    }
    const isKept = (await readFolder()).some(({ name }) => name === made.name);
    await changes.write((tx) => {
      if (isKept) remember(tx, made);
      note(tx, made);
    });
    if (isKept) announce({ ok: made.ok, isNew: true });
    // The backup holds what the log holds: a good moment to empty it.
    await deps.checkpoint();
    return made;
  }

  function remember(tx: Tx, { name, ok }: { name: string; ok: boolean }): void {
    const kept = new Set((lastListed ?? []).map((each) => each.name));
    const known = Object.entries(checks()).filter(([each]) => kept.has(each));
    memory.write(MEMORY, { ...Object.fromEntries(known), [name]: { ok, at: tx.now } }, tx.now);
  }

  return {
    list,
    isBad: (name: string): boolean => checks()[name]?.ok === false,
    check: (name: string): Check | null => checks()[name] ?? null,
    work: (): BackupWork[] => [...work],

    /** When the newest backup was made that was verified and is good, ms since 1970. */
    lastGoodAt(): number | null {
      const known = checks();
      if (lastListed !== null) return lastListed.find(({ name }) => known[name]?.ok === true)?.createdAt ?? null;
      const good = Object.entries(known).flatMap(([name, { ok }]) => (ok ? (timeOfBackup(name) ?? []) : []));
      return good.length === 0 ? null : Math.max(...good);
    },

    /** Whether a backup is being made or verified. */
    isVerifying: (): boolean => [...work].some(({ step }) => step !== "compressing"),

    /**
     * Makes a backup, verifies it, and compresses and thins out the older ones; one at a time. `note` writes with the
     * result. Rejects with the code `NO_SPACE` where it does not fit.
     */
    make(kind: "daily" | "manual", note: (tx: Tx, made: MadeBackup) => void): Promise<MadeBackup> {
      const made = making.then(() => {
        isMaking = true;
        return makeNow(kind, note);
      });
      making = made
        .catch(() => {})
        .finally(() => {
          isMaking = false;
        });
      return made;
    },

    /** Reads every record of a backup and resolves with the result; with `note`, which writes with it, it is remembered. */
    verify,

    /** Called when a backup was made, or was verified and that was remembered. */
    onResult: (listener: (result: BackupResult) => void): void => void listeners.push(listener),

    /** Ends what is under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await making;
      await judging;
    },
  };
}
