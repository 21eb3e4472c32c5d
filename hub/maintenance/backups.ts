import path from "node:path";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { BackupFile, ListedBackups } from "../db/backups/backup-files.ts";
import { FOLDER_MEMORY, type FolderRecord } from "../db/backups/other-disk.ts";
import type { MadeBackup } from "../db/backups/make-backup.ts";
import type { Memory } from "../db/remembered.ts";
import type { BackupCheck } from "../db/backups/verify-backup.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import { createBackupChecks } from "./backup-checks.ts";
import { backUpJob, listBackupFilesJob, verifyBackupJob } from "./backup-jobs.ts";
import { createBackupVerifier } from "./backup-verifier.ts";
import { createBackupProgress } from "./backup-progress.ts";

export type Backups = ReturnType<typeof createBackups>;

/** Result of verifying a backup. `isNew`: the backup was just made. */
export interface BackupResult {
  ok: boolean;
  isNew: boolean;
}

/** Makes, verifies and lists backups in worker threads, and stores the result of each verification. */
export function createBackups(deps: {
  world: World;
  jobs: Jobs;
  changes: ChangeLog;
  memory: Memory;
  hubId: string;
  dbPath: string;
  backupDir: string;
  /** Copies the write-ahead log into the data file. */
  checkpoint: () => Promise<void>;
}) {
  const { world, jobs, changes, memory, dbPath: file, backupDir: dir } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const owner = { fileName: path.basename(file), hubId: deps.hubId };
  const checks = createBackupChecks(memory);
  const progress = createBackupProgress(world, changes);
  const listeners: ((result: BackupResult) => void)[] = [];
  const verifier = createBackupVerifier({
    log: world.log,
    checks,
    // A backup being made is verified by the same job.
    isHeldUp: () => isMaking || signal.aborted,
    verify: (backup) => verify(backup, () => {}),
  });
  let making: Promise<unknown> = Promise.resolve();
  let isMaking = false;

  async function readFolder(): Promise<ListedBackups> {
    const found = await jobs.query(listBackupFilesJob, { dir, owner }, { signal });
    checks.listed(found);
    return found;
  }

  async function listAndVerify(): Promise<ListedBackups> {
    const found = await readFolder();
    verifier.begin();
    return found;
  }

  async function verify(backup: BackupFile, note?: (tx: Tx, check: BackupCheck) => void): Promise<BackupCheck> {
    const { name } = backup;
    const found = await progress.show({ step: "verifying", name, progress: 0 }, (report) =>
      jobs.run(
        verifyBackupJob,
        { file: backup.path },
        { onChunk: (progress) => report({ progress: progress ?? 0 }), signal },
      ),
    );
    if (note !== undefined) {
      await changes.write((tx) => {
        checks.remember(tx, { name, ok: found.ok });
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

  async function makeNow(kind: "daily" | "manual", note: (tx: Tx, made: MadeBackup) => void): Promise<MadeBackup> {
    const bad = checks.bad();
    const at = world.clock.now();
    const made = await progress.show({ step: "copying", name: null, progress: 0 }, (report) =>
      jobs.run(backUpJob, { file, dir, kind, at, bad }, { onChunk: report, signal }),
    );
    if (made.uncompressed !== null) {
      world.log.warn({ detail: made.uncompressed }, "an older backup could not be compressed");
    }
    const isListed = (await readFolder()).all.some(({ name }) => name === made.name);
    await changes.write((tx) => {
      if (isListed) checks.remember(tx, made);
      const record: FolderRecord = { folder: dir, dbPath: file, facts: { isSameDisk: made.isSameDisk } };
      memory.write(FOLDER_MEMORY.first, record, tx.now);
      note(tx, made);
    });
    if (isListed) announce({ ok: made.ok, isNew: true });
    // The backup contains what the log contains: a good moment to empty the log.
    await deps.checkpoint();
    return made;
  }

  return {
    list: async (): Promise<BackupFile[]> => (await listAndVerify()).all,
    listOwn: async (): Promise<BackupFile[]> => (await listAndVerify()).own,
    isBad: checks.isBad,
    check: checks.get,
    lastGoodAt: checks.lastGoodAt,
    work: progress.work,
    isVerifying: progress.isVerifying,

    /**
     * Makes and verifies a backup, compresses older ones and thins them out, one call at a time. `note` runs in the transaction
     * that stores the result. Rejects with code `NO_SPACE` if the backup does not fit.
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

    /** Reads every record of a backup and resolves with the result. Given `note`, stores the result in the same transaction. */
    verify,

    /** Called when a backup was made, or when a verification was stored. */
    onResult: (listener: (result: BackupResult) => void): void => void listeners.push(listener),

    /** Aborts work in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      await making;
      await verifier.settled();
    },
  };
}
