import { readSync, renameSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { StartError } from "../platform/errors.ts";
import { checkAll } from "./integrity/check.ts";
import { lockDataFile } from "./files/data-file-lock.ts";
import { sizeText } from "./files/disk-space.ts";
import { removeDatabase, syncFile, syncFolderOf, withFile } from "./files/files.ts";
import { inspectDataFile } from "./inspect.ts";
import { newestVersion } from "./migrate.ts";
import { createPrivate } from "./files/private-files.ts";
import { withDatabase } from "./files/with-database.ts";

/** Room that has to stay on the disk for everybody else. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** A file that could give back less than this, or than this share of itself, is not worth a stop of the hub. */
const WORTH_BYTES = 64 * 1024 * 1024;
const WORTH_SHARE = 0.2;

export interface Compacted {
  /** Sizes of the data file in bytes. */
  before: number;
  after: number;
}

/**
 * Rewrites the data file without its free pages, so that it gives them back by itself from then on. The copy takes the
 * name of the data file when it is whole, checked and durable: whatever ends this before leaves the data file as it was.
 * `freeBytes` measures the space on the disk. Throws a StartError when a hub runs, the file was not closed by its hub, or
 * the disk has no space for the copy.
 */
export function compactDataFile(file: string, freeBytes: (file: string) => number = freeBeside): Compacted {
  const lock = lockDataFile(file);
  const copy = compactCopyOf(file);
  try {
    removeDatabase(copy);
    requireClosed(file);
    const before = statSync(file).size;
    withDatabase(file, { fileMustExist: true }, (db) => {
      requireRoom(file, usedBytes(db), freeBytes(file));
      createPrivate(copy);
      db.pragma("auto_vacuum = INCREMENTAL");
      db.prepare("VACUUM INTO ?").run(copy);
    });
    finishCopy(copy);
    const after = statSync(copy).size;
    renameSync(copy, file);
    syncFolderOf(file);
    return { before, after };
  } catch (error) {
    removeDatabase(copy);
    throw error;
  } finally {
    lock.release();
  }
}

/** Where the copy is made; one that is there was left by a command that was killed. */
export function compactCopyOf(file: string): string {
  return `${file}.compact`;
}

/**
 * How many bytes `compact` would give back of a data file that no hub has open; 0 where it is not worth it. Read from the
 * file's head, whose places SQLite's file format fixes: a connection would leave its files beside it.
 */
export function worthCompacting(file: string): number {
  const head = Buffer.alloc(100);
  withFile(file, "r", (handle) => readSync(handle, head, 0, head.length, 0));
  // 1 stands for a size that two bytes cannot say.
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  const free = head.readUInt32BE(36) * pageBytes;
  const givesBackByItself = head.readUInt32BE(52) !== 0;
  return !givesBackByItself && free >= Math.max(WORTH_BYTES, statSync(file).size * WORTH_SHARE) ? free : 0;
}

function requireClosed(file: string): void {
  const found = inspectDataFile(file, false);
  if (found.kind === "nothing") throw unusable(`There is no data file ${file} (HUB_DB_PATH).`);
  const isClosed =
    found.kind === "data_file" && found.schemaVersion === newestVersion && found.isClean && found.loss === null;
  if (!isClosed || found.check?.ok === false) {
    throw unusable(
      `The data file ${file} (HUB_DB_PATH) was not closed by this version of the hub: start the hub, stop it, and try again.`,
    );
  }
}

function freeBeside(file: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(file));
  return bavail * bsize;
}

function requireRoom(file: string, bytes: number, free: number): void {
  const missing = bytes + SPARE_BYTES - free;
  if (missing <= 0) return;
  throw unusable(
    `Compacting ${file} (HUB_DB_PATH) needs ${sizeText(bytes + SPARE_BYTES)} on its disk, ${sizeText(missing)} more than are free.`,
  );
}

function finishCopy(copy: string): void {
  withDatabase(copy, { fileMustExist: true }, (db) => {
    const { ok, detail } = checkAll(db);
    if (!ok) throw unusable(`The data file was left as it is, because its copy is damaged: ${detail}.`);
    // Turned to its log before it gets the name, as a new data file is.
    db.pragma("journal_mode = WAL");
  });
  syncFile(copy);
}

function usedBytes(db: Database.Database): number {
  return (pragma(db, "page_count") - pragma(db, "freelist_count")) * pragma(db, "page_size");
}

function pragma(db: Database.Database, name: string): number {
  return Number(db.pragma(name, { simple: true }));
}

function unusable(sentence: string): StartError {
  return new StartError("data_file_unusable", sentence);
}
