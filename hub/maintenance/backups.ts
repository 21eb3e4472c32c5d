import type { BackupWork } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { timeOfBackup, type BackupFile } from "../db/backup-files.ts";
import type { MadeBackup } from "../db/make-backup.ts";
import type { Memory } from "../db/remembered.ts";
import type { Verdict } from "../db/verify-backup.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import { backUpJob, listBackupFilesJob, verifyBackupJob } from "./backup-jobs.ts";

export type Backups = ReturnType<typeof createBackups>;

interface Check {
  ok: boolean;
  /** Ms since 1970. */
  at: number;
}

const MEMORY = "backupChecks";
/** How often the screens hear how far a backup is. */
const TELL_MS = 1_000;

/** Has backups made, verified and listed beside the service, and remembers what was found of each. */
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
  let toldAt = -Infinity;

  function checks(): Record<string, Check> {
    return memory.read<Record<string, Check>>(MEMORY)?.value ?? {};
  }

  async function list(): Promise<BackupFile[]> {
    lastListed = await jobs.query(listBackupFilesJob, { dir }, { signal });
    return lastListed;
  }

  /** Tells the screens how far a job is, from its first step to its end. */
  async function shown<T>(
    first: BackupWork,
    run: (tell: (step: Partial<BackupWork>) => void) => Promise<T>,
  ): Promise<T> {
    const shownWork = { ...first };
    work.add(shownWork);
    tellScreens();
    try {
      return await run((step) => {
        Object.assign(shownWork, step);
        if (world.clock.monotonic() - toldAt >= TELL_MS) tellScreens();
      });
    } finally {
      work.delete(shownWork);
      tellScreens();
    }
  }

  function tellScreens(): void {
    toldAt = world.clock.monotonic();
    changes
      .write((tx) => tx.emit({ kind: "notice", notice: { topics: ["backups"] } }))
      .catch((error: unknown) => world.log.debug({ err: error }, "the screens could not be told of a backup"));
  }

  async function makeNow(kind: "daily" | "manual", note: (tx: Tx, made: MadeBackup) => void): Promise<MadeBackup> {
    const bad = Object.entries(checks()).flatMap(([name, { ok }]) => (ok ? [] : [name]));
    const at = world.clock.now();
    const made = await shown({ step: "copying", name: null, progress: 0 }, (tell) =>
      jobs.run(backUpJob, { file, dir, kind, at, bad }, { onChunk: tell, signal }),
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
    // The copy holds what the log holds: a good moment to empty it.
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
     * Makes a backup, verifies it, and compresses and thins out the older ones; one at a time. `note` writes down what
     * became of it. Rejects with the code `NO_SPACE` where it does not fit.
     */
    make(kind: "daily" | "manual", note: (tx: Tx, made: MadeBackup) => void): Promise<MadeBackup> {
      const made = making.then(() => makeNow(kind, note));
      making = made.catch(() => {});
      return made;
    },

    /** Reads every record of a backup; `note`, where given, writes down what was found with the verdict. */
    async verify(backup: BackupFile, note?: (tx: Tx, verdict: Verdict) => void): Promise<Verdict> {
      const { name, path } = backup;
      const verdict = await shown({ step: "verifying", name, progress: 0 }, (tell) =>
        jobs.run(verifyBackupJob, { file: path }, { onChunk: (progress) => tell({ progress: progress ?? 0 }), signal }),
      );
      if (note !== undefined) {
        await changes.write((tx) => {
          remember(tx, { name, ok: verdict.ok });
          note(tx, verdict);
        });
      }
      return verdict;
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
