import { rmSync } from "node:fs";
import { DAY_MS, HOUR_MS } from "@comanda/protocol";
import { messageOf } from "../../platform/error-facts.ts";
import { type BackupFile, backupsOf, placeOf } from "./backup-files.ts";
import { compressBackup } from "./compressed-backup.ts";
import { sizeOf, syncFolderOf } from "../files/files.ts";
import { type BackupOrder, type BackupStep, type MadeBackup, makeBackup } from "./make-backup.ts";
import { requireDiskOf } from "./other-disk.ts";
import { mapSteps } from "../files/steps.ts";

const MAX_DAILY = 7;
/** Smaller backups are not compressed: any program that reads SQLite can open them. */
export const SMALL_BYTES = 32 * 1024 * 1024;
/** The newest daily backups are always kept, whatever their size. */
const MIN_DAILY = 2;
/** Limit for the total size of all backups, as a multiple of the data file's size. */
const DATA_FILE_TIMES = 2;
const WEEK_MS = 7 * DAY_MS;
/** Daily backups are made 24 to 28 hours apart, and clocks may be set in between. */
const MAX_AGE_MS = WEEK_MS + 12 * HOUR_MS;

export interface FolderOrder extends BackupOrder {
  /** Names of backups known to be bad. */
  bad: readonly string[];
}

/**
 * Makes a backup and limits the total size of all backups. Compresses large ones first, so that at most one is uncompressed
 * beside the data file, and thins out dailies afterwards.
 */
export async function* backUp({
  bad,
  ...order
}: FolderOrder): AsyncGenerator<BackupStep | undefined, MadeBackup & { uncompressed: string | null }> {
  requireDiskOf(order.dir, order.file);
  const owner = placeOf(order.file);
  // Backups of another data file must not be compressed, counted or removed.
  const ownBackups = (): BackupFile[] => (owner === null ? [] : backupsOf(order.dir, owner));
  const uncompressed = yield* compressAll(ownBackups(), order.file);
  const made = yield* makeBackup(order);
  for (const { path } of dailiesToRemove(ownBackups(), sizeOf(order.file) ?? 0, new Set(bad)))
    rmSync(path, { force: true });
  syncFolderOf(made.path);
  return { ...made, uncompressed };
}

/** Compresses every large backup. Returns the error if one failed, which does not prevent a new backup. */
function* compressAll(
  backups: readonly BackupFile[],
  dataFile: string,
): Generator<BackupStep | undefined, string | null> {
  let problem: string | null = null;
  for (const { path, bytes, isCompressed } of backups) {
    const place = placeOf(path);
    if (isCompressed || bytes <= SMALL_BYTES || place === null) continue;
    try {
      yield* mapSteps(compressBackup(path, place, dataFile), (progress) => ({
        step: "compressing" as const,
        progress,
      }));
    } catch (error) {
      problem = `${path}: ${messageOf(error)}`;
    }
  }
  return problem;
}

/**
 * Selects the dailies to remove, given backups newest first. Removes those beyond the seventh. While the total is too large,
 * removes the oldest if they span more than a week, else those that leave the smallest gap; keeps the newest two. Never selects
 * manual backups or those from before a migration.
 */
export function dailiesToRemove(
  backups: readonly BackupFile[],
  dataFileBytes: number,
  bad: ReadonlySet<string>,
): BackupFile[] {
  const removed: BackupFile[] = [];
  const daily = backups.filter(({ kind }) => kind === "daily");
  const retained = daily.filter(({ name }) => !bad.has(name));
  const [newest] = retained;
  // A bad backup is only useful while no newer one is good.
  if (newest !== undefined) removed.push(...daily.slice(daily.indexOf(newest)).filter(({ name }) => bad.has(name)));
  removed.push(...retained.splice(MAX_DAILY));
  const isSmall = dataFileBytes <= SMALL_BYTES;
  // Before the next backup is made, the newest is compressed. Estimates that size from the last compressed one.
  const nextBytes = backups.find(({ isCompressed }) => isCompressed)?.bytes ?? 0;
  let total = sum(backups) - sum(removed) + nextBytes;
  while (!isSmall && total > DATA_FILE_TIMES * dataFileBytes && retained.length > MIN_DAILY) {
    const [dropped] = retained.splice(leastNeeded(retained), 1);
    if (dropped === undefined) break;
    removed.push(dropped);
    total -= dropped.bytes;
  }
  return removed;
}

/** Returns the index of the backup to remove first, given at least three, newest first. */
function leastNeeded(daily: readonly BackupFile[]): number {
  const last = daily.length - 1;
  const age = timeBetween(daily, 0, last);
  if (age > MAX_AGE_MS || last === MIN_DAILY) return last;
  let index = MIN_DAILY;
  for (let place = MIN_DAILY; place < last; place += 1) {
    if (timeBetween(daily, place - 1, place + 1) < timeBetween(daily, index - 1, index + 1)) index = place;
  }
  return index;
}

/** Returns the time between two backups in ms, never negative, as the clock may have been set back in between. */
function timeBetween(daily: readonly BackupFile[], newer: number, older: number): number {
  return Math.abs((daily[newer]?.createdAt ?? 0) - (daily[older]?.createdAt ?? 0));
}

function sum(backups: readonly BackupFile[]): number {
  return backups.reduce((total, { bytes }) => total + bytes, 0);
}
