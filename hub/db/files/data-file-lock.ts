import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { codeOf, messageOf } from "../../platform/error-facts.ts";
import { StartError } from "../../platform/errors.ts";
import { createPrivate } from "./private-files.ts";

export interface DataFileLock {
  release(): void;
}

/**
 * Acquires the lock of a data file, or throws a StartError if another process holds it. The lock is an exclusive SQLite
 * lock on a separate empty file beside the data file. The operating system frees it however the process ends, and the
 * data file can be renamed while the lock is held. The lock file is never deleted: otherwise two processes could hold
 * locks on two files of the same name.
 */
export function lockDataFile(file: string): DataFileLock {
  let lock: Database.Database | undefined;
  try {
    createPrivate(`${file}.lock`);
    lock = new Database(`${file}.lock`, { timeout: 200 });
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    const acquired = lock;
    return { release: () => void acquired.close() };
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw inUseError(file);
    const reason = messageOf(error);
    throw new StartError("data_file_unusable", `The data file ${file} (HUB_DB_PATH) cannot be used: ${reason}.`);
  }
}

/** Whether a running hub or a restore holds the data file. Checks only the lock and never opens the data file. */
export function isDataFileLocked(file: string): boolean {
  if (!existsSync(`${file}.lock`)) return false;
  try {
    lockDataFile(file).release();
    return false;
  } catch (error) {
    return error instanceof StartError && error.code === "data_file_in_use";
  }
}

export function inUseError(file: string): StartError {
  return new StartError(
    "data_file_in_use",
    `The data file ${file} (HUB_DB_PATH) is in use by another program, probably a second hub.`,
  );
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}
