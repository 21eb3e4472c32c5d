import { constants, copyFileSync, existsSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { readLives } from "./life.ts";
import { createMultiplier, DAY_MS, emptyLives } from "./multiply.ts";
import { tidyUp } from "./tidy-up.ts";

export interface YearFileOptions {
  /** A data file in which a hub has written some lives, and which it closed cleanly. */
  livesFile: string;
  /** Path under which the created file is kept. */
  cachedFile: string;
  /** Number of days of history, today included. */
  days: number;
  ordersADay?: number;
}

/**
 * Creates a file with all days but the last one, unless it is kept from before. Old data is packed day after day, as by a hub,
 * so that the file is never much larger than at the end.
 */
export function makeYearFile(options: YearFileOptions, now: number = Date.now()): void {
  const { livesFile, cachedFile, days, ordersADay } = options;
  if (existsSync(cachedFile)) return;
  const part = `${cachedFile}.new`;
  rmSync(part, { force: true });
  copyFileSync(livesFile, part);
  const lives = livesOf(livesFile);
  withDatabase(part, (db) => {
    emptyLives(db);
    const multiplier = createMultiplier(db, lives);
    for (let day = days - 1; day > 0; day -= 1) {
      multiplier.writeDays({ now, from: day, to: day, ...(ordersADay !== undefined && { ordersADay }) });
      tidyUp(db, now - day * DAY_MS);
    }
  });
  renameSync(part, cachedFile);
}

/** Copies a kept file to `file` and adds the last day and the open orders, which are the same for every age of file. */
export function copyWithToday(options: YearFileOptions, file: string, now: number = Date.now()): void {
  const { livesFile, cachedFile, ordersADay } = options;
  copyFileSync(cachedFile, file, constants.COPYFILE_FICLONE);
  withDatabase(file, (db) => {
    const multiplier = createMultiplier(db, livesOf(livesFile));
    multiplier.writeDays({ now: now - 3_600_000, from: 0, to: 0, ...(ordersADay !== undefined && { ordersADay }) });
    multiplier.writeActive(now);
  });
}

/** Throws unless the folder's disk has so many bytes free. */
export function requireRoom(folder: string, bytes: number): void {
  const gib = (value: number): string => (value / 2 ** 30).toFixed(1);
  if (hasRoom(folder, bytes)) return;
  throw new Error(`${folder} has ${gib(freeBytes(folder))} GiB free, and ${gib(bytes)} GiB are needed`);
}

export function hasRoom(folder: string, bytes: number): boolean {
  return freeBytes(folder) >= bytes;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

function livesOf(file: string) {
  const db = new Database(file, { readonly: true });
  try {
    return readLives(db);
  } finally {
    db.close();
  }
}

function withDatabase(file: string, work: (db: Database.Database) => void): void {
  const db = new Database(file);
  try {
    // An interrupted run starts over, so nothing has to be durable before the end.
    db.pragma("journal_mode = MEMORY");
    db.pragma("locking_mode = EXCLUSIVE");
    work(db);
  } finally {
    db.close();
  }
}
