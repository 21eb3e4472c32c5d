import { rmSync } from "node:fs";
import { DAY_MS, HOUR_MS } from "@comanda/protocol";
import { messageOf } from "../../platform/error-facts.ts";
import { type BackupFile, backupsOf, placeOf } from "./backup-files.ts";
import { compressBackup } from "./compressed-backup.ts";
import { sizeOf, syncFolderOf } from "../files/files.ts";
import { type BackupOrder, type BackupStep, type MadeBackup, makeBackup } from "./make-backup.ts";
import { requireDiskOf } from "./other-disk.ts";
import { mapSteps } from "../files/steps.ts";

const KEPT_DAILY = 7;
/** Smaller ones are kept as they are: any program that reads SQLite opens them. */
export const SMALL_BYTES = 32 * 1024 * 1024;
/** The newest dailies stay, whatever they take. */
const ALWAYS_KEPT = 2;
/** All backups together may take so many times what the data file takes. */
const DATA_FILE_TIMES = 2;
const WEEK_MS = 7 * DAY_MS;
/** A daily one is made between a day and 28 hours after the last, and clocks are set. */
const WEEK_AND_A_BIT_MS = WEEK_MS + 12 * HOUR_MS;

export interface FolderOrder extends BackupOrder {
  /** Names of those that are known to be bad. */
  bad: readonly string[];
}

/**
 * Makes a backup and keeps all of them together small: large ones that are there are compressed first, so that at no
 * moment more than one is plain beside the data file, and dailies are thinned out afterwards.
 */
export async function* backUp({
  bad,
  ...order
}: FolderOrder): AsyncGenerator<BackupStep | undefined, MadeBackup & { uncompressed: string | null }> {
  requireDiskOf(order.dir, order.file);
  const owner = placeOf(order.file);
  // The backups of another data file are not this one's to compress, count or remove.
  const ownBackups = (): BackupFile[] => (owner === null ? [] : backupsOf(order.dir, owner));
  const uncompressed = yield* compressAll(ownBackups(), order.file);
  const made = yield* makeBackup(order);
  for (const { path } of dailiesToRemove(ownBackups(), sizeOf(order.file) ?? 0, new Set(bad)))
    rmSync(path, { force: true });
  syncFolderOf(made.path);
  return { ...made, uncompressed };
}

/** Compresses every large one; answers why one could not be, which keeps no new one from being made. */
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
 * Which dailies go, of the backups newest first: those beyond the seventh and, while all backups together take too much,
 * those that leave the smallest gap, first of all what is older than a week; the newest two stay. Those made by hand
 * or before a migration are never removed here.
 */
export function dailiesToRemove(
  backups: readonly BackupFile[],
  dataFileBytes: number,
  bad: ReadonlySet<string>,
): BackupFile[] {
  const removed: BackupFile[] = [];
  const daily = backups.filter(({ kind }) => kind === "daily");
  const kept = daily.filter(({ name }) => !bad.has(name));
  const [newest] = kept;
  // A bad one is worth something only as long as there is nothing newer that is good.
  if (newest !== undefined) removed.push(...daily.slice(daily.indexOf(newest)).filter(({ name }) => bad.has(name)));
  removed.push(...kept.splice(KEPT_DAILY));
  const isSmall = dataFileBytes <= SMALL_BYTES;
  // Before the next one is made the newest is compressed: what that takes for a moment is about what it took last time.
  const toCome = backups.find(({ isCompressed }) => isCompressed)?.bytes ?? 0;
  let total = sum(backups) - sum(removed) + toCome;
  while (!isSmall && total > DATA_FILE_TIMES * dataFileBytes && kept.length > ALWAYS_KEPT) {
    const [gone] = kept.splice(leastMissed(kept), 1);
    if (gone === undefined) break;
    removed.push(gone);
    total -= gone.bytes;
  }
  return removed;
}

/** The place of the one to remove first, among at least three, newest first. */
function leastMissed(daily: readonly BackupFile[]): number {
  const last = daily.length - 1;
  const age = timeBetween(daily, 0, last);
  if (age > WEEK_AND_A_BIT_MS || last === ALWAYS_KEPT) return last;
  let least = ALWAYS_KEPT;
  for (let place = ALWAYS_KEPT; place < last; place += 1) {
    if (timeBetween(daily, place - 1, place + 1) < timeBetween(daily, least - 1, least + 1)) least = place;
  }
  return least;
}

/** In ms; the clock may have been put back between the two. */
function timeBetween(daily: readonly BackupFile[], newer: number, older: number): number {
  return Math.abs((daily[newer]?.createdAt ?? 0) - (daily[older]?.createdAt ?? 0));
}

function sum(backups: readonly BackupFile[]): number {
  return backups.reduce((total, { bytes }) => total + bytes, 0);
}
