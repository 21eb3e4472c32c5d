import { existsSync, statSync } from "node:fs";
import path from "node:path";
import type { DataFileDoubtKind } from "@comanda/protocol";
import Database from "better-sqlite3";
import { codeOf, isCorrupt, isDiskFailure, messageOf } from "../platform/error-facts.ts";
import { StartError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { removePartialBackups } from "./backups/backup-files.ts";
import { type DataFileLock, inUseError, isBusy, lockDataFile } from "./files/data-file-lock.ts";
import { clearSuspicion, markSuspect, readSuspicion } from "./integrity/data-file-watch.ts";
import { freeBytes, isReadOnly, DISK_IS_FULL } from "./files/disk-space.ts";
import { forgetDamagedCopies } from "./integrity/forget-copies.ts";
import { forkEpoch } from "./restore/fork-history.ts";
import { inspectDataFile } from "./inspect.ts";
import { createPlaceNote, noteLastSeen, readPlace } from "./last-seen.ts";
import { backupBeforeMigration } from "./backups/make-backup.ts";
import { newestVersion } from "./migrate.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { makePrivateFolder, tightenFiles } from "./files/private-files.ts";
import { keepReserve, useReserve } from "./files/reserve.ts";
import { createSecretCipher, keyFileOf, type SecretCipher } from "./files/secret-cipher.ts";
import { finishStagedRestore, type RestoreOutcome } from "./restore/staged-restore.ts";
import { type OpenOptions, requireUsable, setAside } from "./usable-data-file.ts";

/** With less free space, SQLite cannot even create the index of its write-ahead log. */
const FULL_BYTES = 64 * 1024;

export type Db = Database.Database;

/** An open data file that only this process writes. */
export interface DataFile {
  db: Db;
  /** Encrypts the secrets in the file with the key file beside it. */
  cipher: SecretCipher;
  /** The restore that was finished, or failed, before the file was opened; null if none was staged. */
  restore: RestoreOutcome | null;
  /** Problems found while opening the file. */
  problems: { kind: Exclude<DataFileDoubtKind, "disk_failed">; detail: string }[];
  /** Messages about damaged values that were deleted and have no other source. */
  forgotten: string[];
  /** True after an unclean end if the structure check, which is slow for a large file, has not been run yet. */
  isStructureUnchecked: boolean;
  /** Notes the current position beside the file. Call it after each commit. */
  notePlace(): void;
  /** Marks the file as cleanly ended, even if it is never closed. Never throws. */
  markSound(): void;
  /** Marks the file as cleanly ended and closes it. Never throws, since everything acknowledged is already in the file. */
  close(): void;
}

/**
 * Opens the data file for this process alone: finishes a staged restore, inspects the file before writing to it, checks it
 * after an unclean end, and migrates the schema. Throws a StartError if the file is in use, from a newer version, damaged,
 * missing although this hub had one, or not a hub's. The content of an existing file then stays unchanged.
 */
export function openDataFile(options: OpenOptions): DataFile {
  const { file, world } = options;
  const lock = takeLock(options);
  try {
    try {
      return openLocked(options, lock);
    } catch (error) {
      if (!isNoSpace(error) || !useReserve(file)) throw error;
      world.log.warn({ err: error }, "the disk is full: the hub starts on its reserve, to be read at least");
      return openLocked(options, lock);
    }
  } catch (error) {
    const startError = asStartError(error, options);
    lock.release();
    throw startError;
  }
}

function isNoSpace(error: unknown): boolean {
  return isDiskFailure(error) || codeOf(error) === "ENOSPC";
}

function openLocked(options: OpenOptions, lock: DataFileLock): DataFile {
  const { file, backupDir, world } = options;
  let db: Db | undefined;
  try {
    tightenFiles(file, backupDir);
    removePartialBackups(backupDir, { dbPath: file, now: world.clock.now() });
    const restore = finishStagedRestore(file, backupDir, world);
    const suspicion = readSuspicion(file);
    const found = requireUsable(inspectDataFile(file, suspicion !== null), options);
    db = new Database(file, { timeout: 200 });
    db.pragma("journal_mode = WAL");
    // Fails here if another program has locked the file. Only our own jobs (hub/jobs) may read it concurrently.
    db.exec("BEGIN IMMEDIATE; COMMIT");
    backupBeforeMigration(db, { file, dir: backupDir, newest: newestVersion });
    prepareConnection(db, world);
    const forgotten = forgetDamagedCopies(db, world);
    const cipher = createSecretCipher(keyFileOf(file), world);
    beginRun(db, path.basename(file), found.isClean && found.loss === null, world);
    if (found.check !== null && found.check.ok) clearSuspicion(file);
    if (found.loss !== null) markSuspect(file, found.loss);
    noteLastSeen(file, readPlace(db));
    keepReserve(file);
    const opened = db;
    const place = createPlaceNote(db, file);
    return {
      db: opened,
      cipher,
      restore,
      forgotten,
      isStructureUnchecked: found.isStructureUnchecked,
      problems: [
        ...(found.loss === null ? [] : [{ kind: "lost_changes" as const, detail: found.loss }]),
        ...(found.check === null || found.check.ok
          ? []
          : [{ kind: "damaged_records" as const, detail: found.check.detail }]),
      ],
      notePlace: place.note,
      markSound: () => markSound(opened, file, world),
      close() {
        place.close();
        closeQuietly(opened, file, world);
        lock.release();
      },
    };
  } catch (error) {
    db?.close();
    throw error;
  }
}

/** Opens an in-memory database with the schema of a data file. */
export function openMemory(world: World): Db {
  return prepareConnection(new Database(":memory:"), world);
}

/**
 * Marks the file as in use until a clean end. The checkpoint writes the mark into the file itself, so that it is not lost with
 * the write-ahead log. After an unclean end history may have forked, so a new epoch makes every terminal do a full SYNC.
 */
function beginRun(db: Db, fileName: string, wasClean: boolean, world: World): void {
  db.prepare("UPDATE hub_state SET is_clean = 0, file_name = ?").run(fileName);
  if (!wasClean) forkEpoch(db, world);
  db.pragma("wal_checkpoint(TRUNCATE)");
}

function markSound(db: Db, file: string, world: World): void {
  try {
    db.prepare("UPDATE hub_state SET is_clean = 1").run();
    noteLastSeen(file, readPlace(db));
  } catch (error) {
    world.log.error({ err: error }, "the data file could not be marked as closed; the next start checks it");
  }
}

function closeQuietly(db: Db, file: string, world: World): void {
  markSound(db, file, world);
  try {
    db.close();
  } catch (error) {
    world.log.error({ err: error }, "the data file could not be closed; the next start reads its log");
  }
}

/** Takes the lock. If that fails and the known data file is gone, its disk may be missing. */
function takeLock({ file, allowEmpty = false, hasHadFile = false }: OpenOptions): DataFileLock {
  try {
    if (hasHadFile || allowEmpty) makeFolder(file);
    requirePlace(file);
    return lockDataFile(file);
  } catch (error) {
    const isUnusable = error instanceof StartError && error.code === "data_file_unusable";
    if (!isUnusable || !hasHadFile || !isMissing(file)) throw error;
    throw new StartError("data_file_missing", error.message);
  }
}

function makeFolder(file: string): void {
  try {
    makePrivateFolder(path.dirname(file));
  } catch {
    throw new StartError(
      "data_file_unusable",
      `The folder of the data file ${file} (HUB_DB_PATH) cannot be made or written.`,
    );
  }
}

/**
 * Throws unless the path is, or can become, a plain file in an existing folder. In a missing folder, as while a disk is not
 * mounted, the restaurant would begin again without a word; a device or a pipe would be replaced by the new file.
 */
function requirePlace(file: string): void {
  if (!existsSync(path.dirname(file))) throw unusable(file, "its folder does not exist or cannot be reached");
  const found = existsSync(file) ? statSync(file) : undefined;
  if (found?.isDirectory() === true) throw unusable(file, "it is a folder");
  if (found?.isFile() === false) throw unusable(file, "it is a device or a pipe, not a file");
}

/** Whether the system reports that the file does not exist. False for other errors, such as missing permissions. */
function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
  }
}

function asStartError(error: unknown, options: OpenOptions): unknown {
  const { file } = options;
  if (error instanceof StartError) return error;
  if (isBusy(error)) return inUseError(file);
  if (isCorrupt(error)) return setAside(options, error.message);
  options.world.log.error({ err: error }, "the data file cannot be opened");
  const reason = reasonOfDisk(file, error) ?? messageOf(error);
  return unusable(file, reason);
}

function unusable(file: string, reason: string): StartError {
  return new StartError("data_file_unusable", `The data file ${file} (HUB_DB_PATH) cannot be used: ${reason}.`);
}

/** Returns why the file cannot be opened; null if the cause is unknown. */
function reasonOfDisk(file: string, error: unknown): string | null {
  if (!isNoSpace(error)) return null;
  if (isReadOnly(file)) return "its disk can only be read";
  return freeBytes(path.dirname(file)) < FULL_BYTES ? DISK_IS_FULL : null;
}
