import type { BackupWork } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import { timeOfBackup, type BackupFile } from "../db/backup-files.ts";
import type { MadeBackup } from "../db/make-backup.ts";
import type { Memory } from "../db/remembered.ts";
import type { BackupCheck } from "../db/verify-backup.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import { backUpJob, listBackupFilesJob, verifyBackupJob } from "./backup-jobs.ts";

export type Backups = ReturnType<typeof createBackups>;

export interface Check {
  ok: boolean;
  /** Ms since 1970. */
  at: number;
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
  const madeListeners: (() => void)[] = [];
  let lastListed: BackupFile[] | null = null;
  let making: Promise<unknown> = Promise.resolve();
  let notifiedAt = -Infinity;

  function checks(): Record<string, Check> {
    return memory.read<Record<string, Check>>(MEMORY)?.value ?? {};
  }

  async function list(): Promise<BackupFile[]> {
    lastListed = await jobs.query(listBackupFilesJob, { dir }, { signal });
    return lastListed;
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
    const isKept = (await list()).some(({ name }) => name === made.name);
    await changes.write((tx) => {
      if (isKept) remember(tx, made);
      note(tx, made);
    });
    if (isKept && made.ok) for (const listener of madeListeners) listener();
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

    /** When the newest backup was made that is not known to be bad, ms since 1970. */
    lastAt(): number | null {
      const known = checks();
      if (lastListed !== null) return lastListed.find(({ name }) => known[name]?.ok !== false)?.createdAt ?? null;
      const good = Object.entries(known).flatMap(([name, { ok }]) => (ok ? (timeOfBackup(name) ?? []) : []));
      return good.length === 0 ? null : Math.max(...good);
    },

    /**
     * Makes a backup, verifies it, and compresses and thins out the older ones; one at a time. `note` writes with the
     * result. Rejects with the code `NO_SPACE` where it does not fit.
     */
    make(kind: "daily" | "manual", note: (tx: Tx, made: MadeBackup) => void): Promise<MadeBackup> {
      const made = making.then(() => makeNow(kind, note));
      making = made.catch(() => {});
      return made;
    },

    /** Reads every record of a backup and resolves with the result; `note` writes with it. */
    async verify(backup: BackupFile, note?: (tx: Tx, check: BackupCheck) => void): Promise<BackupCheck> {
      const { name, path } = backup;
      const found = await withProgress({ step: "verifying", name, progress: 0 }, (report) =>
        jobs.run(
          verifyBackupJob,
          { file: path },
          { onChunk: (progress) => report({ progress: progress ?? 0 }), signal },
        ),
      );
      if (note !== undefined) {
        await changes.write((tx) => {
          remember(tx, { name, ok: found.ok });
          note(tx, found);
        });
      }
      return found;
    },

    /** Called when a good backup was made. */
    onMade: (listener: () => void): void => void madeListeners.push(listener),

    /** Ends what is under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await making;
    },
  };
}
