import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { isDiskFailure, isDiskFull, messageOf } from "../../platform/error-facts.ts";
import { StartError } from "../../platform/errors.ts";
import { newBackupPath, presentPath } from "./backup-files.ts";
import { backupName } from "../files/backup-names.ts";
import { inUseError } from "../files/data-file-lock.ts";
import { DISK_IS_FULL, requireSomeSpace, requireSpace } from "../files/disk-space.ts";
import { removeUnfinished, sizeOf, syncFile, syncFolderOf } from "../files/files.ts";
import { createPace, SYNC_BYTES } from "../files/pace.ts";
import { copyPrivate, createPrivate, makePrivateFolder } from "../files/private-files.ts";
import { mapSteps } from "../files/steps.ts";
import { requireDiskOf } from "./other-disk.ts";
import { partialName } from "./partial-name.ts";
import { type BackupCheck, isHubFile, verifyStepByStep } from "./verify-backup.ts";
import { withDatabase } from "../files/with-database.ts";

/** 1 MiB */
const PAGES_PER_STEP = 256;
/** Interval of progress reports. */
const PROGRESS_MS = 100;

export interface BackupOrder {
  /** The data file, which a hub may be writing to meanwhile. */
  file: string;
  dir: string;
  kind: "daily" | "manual";
  /** Time for its name, ms since 1970. */
  at: number;
}

/** Current step of a backup and its progress, from 0 to 1. */
export interface BackupStep {
  step: "compressing" | "copying" | "verifying";
  progress: number;
}

export interface MadeBackup extends BackupCheck {
  name: string;
  path: string;
  bytes: number;
  /** Whether it is on the data file's disk. */
  isSameDisk: boolean;
}

/**
 * Copies a snapshot of the data file, while others may write to it, and reads every record of the copy. Keeps a bad copy only
 * if it is manual. Throws a NoSpaceError before it begins if the copy would not fit.
 */
export async function* makeBackup(order: BackupOrder): AsyncGenerator<BackupStep | undefined, MadeBackup> {
  const { file, dir, kind, at } = order;
  const isSameDisk = requireDiskOf(dir, file);
  requireSpace(dir, bytesOfCopy(file));
  const target = newBackupPath(dir, kind, at);
  const part = partialName(target, file);
  try {
    createPrivate(part);
    yield* copyDataFile(file, part);
    settle(part);
    const { size: bytes } = statSync(part);
    const check = yield* mapSteps(verifyStepByStep(part), (progress) => ({ step: "verifying" as const, progress }));
    if (check.ok || kind === "manual") {
      renameSync(part, target);
      syncFolderOf(target);
    }
    return { name: path.basename(target), path: target, bytes, isSameDisk, ...check };
  } catch (error) {
    // The backup disk failed, so the error must not be reported as one of the data file.
    if (isDiskFailure(error))
      throw Object.assign(new Error(`the copy cannot be written: ${messageOf(error)}`), { code: "EIO" });
    throw error;
  } finally {
    removeUnfinished(part);
  }
}

/** Returns the size of a backup made now: the data file and its write-ahead log. */
export function bytesOfCopy(file: string): number {
  return (sizeOf(file) ?? 0) + (sizeOf(`${file}-wal`) ?? 0);
}

/**
 * Copies within one read transaction, which sees one state of the file: SQLite's backup neither restarts nor blocks writers.
 * The write-ahead log cannot be truncated until it ends.
 */
async function* copyDataFile(file: string, target: string): AsyncGenerator<BackupStep | undefined, void> {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 200 });
  // Stays open until SQLite is done with the copy: closing it would release SQLite's locks on it.
  const handle = openSync(target, "r+");
  const pace = createPace();
  let [progress, synced, isWanted] = [0, 0, true];
  try {
    db.exec("BEGIN");
    if (!isHubFile(db)) throw new Error(`${file} is no data file of a Comanda Hub`);
    const syncPages = SYNC_BYTES / Number(db.pragma("page_size", { simple: true }));
    const copying = db.backup(target, {
      progress({ totalPages, remainingPages }) {
        if (!isWanted) throw new Error("the copy is not wanted any more");
        const copied = totalPages - remainingPages;
        progress = copied / totalPages;
        if (copied - synced >= syncPages) {
          requireSomeSpace(path.dirname(target));
          fdatasyncSync(handle);
          synced = copied;
        }
        pace();
        return PAGES_PER_STEP;
      },
    });
    try {
      while ((await Promise.race([copying, pause(PROGRESS_MS, null, { ref: false })])) === null) {
        yield { step: "copying", progress };
      }
    } finally {
      isWanted = false;
      await copying.catch(() => {});
    }
  } finally {
    closeSync(handle);
    db.close();
  }
}

/** Turns off WAL mode, stored in the copy's header: the copy becomes one self-contained file. */
function settle(file: string): void {
  withDatabase(file, {}, (copy) => {
    copy.pragma("journal_mode = DELETE");
    if (!isHubFile(copy)) throw new Error(`the copy ${file} is not whole`);
  });
  syncFile(file);
}

/**
 * Copies a file with content before it is migrated. The copy is kept until the operator removes it. Its name contains the
 * file's last write time, so that a repeated start finds it. Throws a StartError if the copy fails.
 */
export function backupBeforeMigration(
  db: Database.Database,
  { file, dir, newest }: { file: string; dir: string; newest: number },
): void {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version === 0 || version === newest) return;
  const [log] = db.pragma("wal_checkpoint(TRUNCATE)") as { log: number; checkpointed: number }[];
  // Another program is reading an earlier state of the file: the copy would lack later changes.
  if (log !== undefined && log.checkpointed < log.log) throw inUseError(file);
  try {
    requireDiskOf(dir, file);
    const copy = path.join(dir, backupName(`before-${newest}`, statSync(file).mtimeMs));
    if (!existsSync(presentPath(copy))) copyWhole(file, copy);
  } catch (error) {
    const reason = isDiskFull(error) ? DISK_IS_FULL : messageOf(error);
    const sentence = `The data file cannot be copied to ${dir} (HUB_BACKUP_DIR) before the update: ${reason}; put that right, or name another folder.`;
    throw new StartError("backup_folder", sentence, ["HUB_BACKUP_DIR"]);
  }
}

/** Copies a file under a temporary name, then renames it. The next start removes leftovers. */
function copyWhole(file: string, target: string): void {
  const part = partialName(target, file);
  makePrivateFolder(path.dirname(target));
  try {
    copyPrivate(file, part);
    settle(part);
    renameSync(part, target);
    syncFolderOf(target);
  } catch (error) {
    removeUnfinished(part);
    throw error;
  }
}
