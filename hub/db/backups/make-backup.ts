import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { isDiskFailure, isDiskFull, messageOf } from "../../platform/error-facts.ts";
import { StartError } from "../../platform/errors.ts";
import { newBackupPath, presentPath } from "./backup-files.ts";
import { backupName } from "../files/backup-names.ts";
import { inUse } from "../files/data-file-lock.ts";
import { ITS_DISK_IS_FULL, requireSomeSpace, requireSpace } from "../files/disk-space.ts";
import { removeUnfinished, sizeOf, syncFile, syncFolderOf } from "../files/files.ts";
import { createPace, SYNC_BYTES } from "../files/pace.ts";
import { copyPrivate, createPrivate, makePrivateFolder } from "../files/private-files.ts";
import { mapSteps } from "../files/steps.ts";
import { requireDiskOf } from "./other-disk.ts";
import { partialName } from "./partial-name.ts";
import { type BackupCheck, isHubFile, verifyStepByStep } from "./verify-backup.ts";
import { withDatabase } from "../files/with-database.ts";

/** 1 MiB. */
const PAGES_A_STEP = 256;
/** How often the copy reports its progress. */
const TELL_MS = 100;

export interface BackupOrder {
  /** The data file, which a hub may be writing meanwhile. */
  file: string;
  dir: string;
  kind: "daily" | "manual";
  /** The time for its name, ms since 1970. */
  at: number;
}

/** What a backup under way is at, and how much of that is done, from 0 to 1. */
export interface BackupStep {
  step: "compressing" | "copying" | "verifying";
  progress: number;
}

export interface MadeBackup extends BackupCheck {
  name: string;
  path: string;
  bytes: number;
  /** On the disk of the data file. */
  isSameDisk: boolean;
}

/**
 * Copies the data file as it is at this moment, while others write on, and reads every record of the copy. A daily one in
 * which something is wrong is not kept. Throws a NoSpaceError before it begins where the copy would not fit.
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
    // What failed is the disk of the backups, so the data file must not be reported for it.
    if (isDiskFailure(error))
      throw Object.assign(new Error(`the copy cannot be written: ${messageOf(error)}`), { code: "EIO" });
    throw error;
  } finally {
    removeUnfinished(part);
  }
}

/** What a backup made now would take: the data file and what its log adds to it. */
export function bytesOfCopy(file: string): number {
  return (sizeOf(file) ?? 0) + (sizeOf(`${file}-wal`) ?? 0);
}

/**
 * One read transaction sees one state of the file, whatever is written meanwhile: SQLite's copy by pages neither
 * starts over nor keeps writers waiting. The log cannot be emptied until it ends.
 */
async function* copyDataFile(file: string, target: string): AsyncGenerator<BackupStep | undefined, void> {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 200 });
  // Open until SQLite is done with the copy: to close it would free SQLite's locks on it.
  const handle = openSync(target, "r+");
  const rest = createPace();
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
        rest();
        return PAGES_A_STEP;
      },
    });
    try {
      while ((await Promise.race([copying, pause(TELL_MS, null, { ref: false })])) === null) {
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

/** The copy carries the WAL mark in its header: without it, it is one self-contained file. */
function settle(file: string): void {
  withDatabase(file, {}, (copy) => {
    copy.pragma("journal_mode = DELETE");
    if (!isHubFile(copy)) throw new Error(`the copy ${file} is not whole`);
  });
  syncFile(file);
}

/**
 * Before a file with content is migrated it is copied; the copy is kept until the operator removes it. Its name tells when
 * the file was last written, so that a start that is repeated finds it. Throws a StartError where it cannot be made.
 */
export function backupBeforeMigration(
  db: Database.Database,
  { file, dir, newest }: { file: string; dir: string; newest: number },
): void {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version === 0 || version === newest) return;
  const [log] = db.pragma("wal_checkpoint(TRUNCATE)") as { log: number; checkpointed: number }[];
  // Another program reads an earlier state of the file: the copy would lack what came since.
  if (log !== undefined && log.checkpointed < log.log) throw inUse(file);
  try {
    requireDiskOf(dir, file);
    const copy = path.join(dir, backupName(`before-${newest}`, statSync(file).mtimeMs));
    if (!existsSync(presentPath(copy))) copyWhole(file, copy);
  } catch (error) {
    const reason = isDiskFull(error) ? ITS_DISK_IS_FULL : messageOf(error);
    const sentence = `The data file cannot be copied to ${dir} (HUB_BACKUP_DIR) before the update: ${reason}.`;
    throw new StartError("backup_folder", sentence, ["HUB_BACKUP_DIR"]);
  }
}

/** Under its own name only when it is whole: what a kill leaves of it is cleared away at the next start. */
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
