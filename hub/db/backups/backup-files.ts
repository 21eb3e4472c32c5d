import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { HOUR_MS } from "@comanda/protocol";
import { type BackupPlace, compressedName, isCompressed, readCompressedFacts } from "./compressed-backup.ts";
import { backupName, readBackupName, readPartialName } from "../files/backup-names.ts";
import { namesIn } from "../files/files.ts";
import { makePrivateFolder } from "../files/private-files.ts";
import { withDatabase } from "../files/with-database.ts";
import { tagOf } from "./partial-name.ts";

/** A partial file not written to for this long is abandoned. */
const ABANDONED_MS = HOUR_MS;

export interface BackupFile {
  /** Name of the uncompressed file, `hub-daily-….sqlite`, also when it is compressed. */
  name: string;
  path: string;
  /** Size on disk. */
  bytes: number;
  /** Creation time by the clock of that moment, ms since 1970. */
  createdAt: number;
  kind: "daily" | "manual" | "before-migration";
  isCompressed: boolean;
}

/** A backup and its place, or null if the place cannot be read. */
export interface PlacedBackup {
  file: BackupFile;
  place: BackupPlace | null;
}

/** Lists the backups in a folder, newest content first and unreadable ones last. Opens each uncompressed one. */
export function listBackups(dir: string): BackupFile[] {
  return placedBackups(dir).map(({ file }) => file);
}

/** One data file of one hub. Several hubs may share a backup folder and use the same file names. */
export interface BackupOwner {
  fileName: string | null;
  /** Null if unknown: only the file name is compared. */
  hubId: string | null;
}

export function backupsOf(dir: string, owner: BackupOwner): BackupFile[] {
  return listWithOwn(dir, owner).own;
}

/** All backups in a folder, and those that may be of one data file. */
export interface ListedBackups {
  all: BackupFile[];
  own: BackupFile[];
}

/** Lists a folder's backups and those that may be of this data file. Reads the folder once. */
export function listWithOwn(dir: string, owner: BackupOwner): ListedBackups {
  const placed = placedBackups(dir);
  return {
    all: placed.map(({ file }) => file),
    own: placed.flatMap((each) => (mayBeOf(each, owner) ? [each.file] : [])),
  };
}

/** Lists a folder's backups; those that may be of this data file come first, as the file may have been renamed. */
export function backupsFor(dir: string, owner: BackupOwner): BackupFile[] {
  const rankOf = (each: PlacedBackup): number => Number(!mayBeOf(each, owner));
  return placedBackups(dir)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ file }) => file);
}

function mayBeOf({ place }: PlacedBackup, { fileName, hubId }: BackupOwner): boolean {
  if (place === null) return true;
  return (place.fileName === null || place.fileName === fileName) && (hubId === null || place.hubId === hubId);
}

/** Returns the generation for a new history: one above the backups in the folder, or 0 if there are none. */
export function nextGeneration(dir: string): number {
  // A folder that cannot be read must not block a new history.
  const placed = namesIn(dir).length === 0 ? [] : placedBackups(dir);
  return 1 + Math.max(-1, ...placed.map(({ place }) => place?.generation ?? 0));
}

/** Lists backups as `listBackups` does, each with its place. */
export function placedBackups(dir: string): PlacedBackup[] {
  if (!existsSync(dir)) return [];
  const found = new Map<string, BackupFile>();
  // If compressing was interrupted, a plain file and its compressed form both exist: the plain one counts.
  for (const each of readdirSync(dir).sort().reverse()) {
    const file = backupFile(dir, each);
    if (file !== null) found.set(file.name, file);
  }
  return [...found.values()].map((file) => ({ file, place: placeOf(file.path) })).sort(compareContent);
}

/** Compares by the content's place, newest first. Unreadable backups come last. */
export function compareContent(a: PlacedBackup, b: PlacedBackup): number {
  return (
    (b.place?.generation ?? -1) - (a.place?.generation ?? -1) ||
    (b.place?.seq ?? -1) - (a.place?.seq ?? -1) ||
    b.file.createdAt - a.file.createdAt
  );
}

function backupFile(dir: string, fileName: string): BackupFile | null {
  const named = readBackupName(fileName);
  if (named === null) return null;
  const { name, kind, at, isCompressed } = named;
  const file = path.join(dir, fileName);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  return {
    name,
    path: file,
    bytes: facts.size,
    createdAt: at ?? Math.round(facts.mtimeMs),
    kind: kind === "daily" || kind === "manual" ? kind : "before-migration",
    isCompressed,
  };
}

/** Reads the place of a backup's content; null if it cannot be read. */
export function placeOf(file: string): BackupPlace | null {
  try {
    return isCompressed(file) ? readCompressedFacts(file) : placeOfPlain(file);
  } catch {
    return null;
  }
}

function placeOfPlain(file: string): BackupPlace | null {
  return withDatabase(file, { readonly: true, fileMustExist: true }, (db) => {
    const place = db.prepare<[], BackupPlace>(
      "SELECT generation, seq, file_name AS fileName, hub_id AS hubId FROM hub_state",
    );
    return place.get() ?? null;
  });
}

/** Reads the creation time from a backup's name (`…-2026-11-21T18-30-00-000Z.sqlite`), ms since 1970; null if invalid. */
export function timeOfBackup(name: string): number | null {
  return readBackupName(name)?.at ?? null;
}

/** Returns an unused path for a new backup. Creates the folder. */
export function newBackupPath(dir: string, kind: string, now: number): string {
  makePrivateFolder(dir);
  const file = path.join(dir, backupName(kind, now));
  const exists = existsSync(file) || existsSync(compressedName(file));
  return exists ? newBackupPath(dir, kind, now + 1) : file;
}

/** Returns a backup's current path: it may have been compressed since the path was noted. */
export function presentPath(file: string): string {
  const compressed = compressedName(file);
  return !existsSync(file) && existsSync(compressed) ? compressed : file;
}

/** Removes partial files of interrupted backups, compressions and unpackings. Keeps those that another hub may be writing. */
export function removePartialBackups(dir: string, { dbPath, now }: { dbPath: string; now: number }): void {
  const own = tagOf(dbPath);
  for (const name of namesIn(dir)) {
    const found = readPartialName(name);
    const file = path.join(dir, name);
    if (found === null || (![undefined, own].includes(found.tag) && wasWrittenSince(file, now - ABANDONED_MS)))
      continue;
    try {
      rmSync(file, { force: true });
    } catch {
      // The disk may be read-only, as after it was pulled out. That must not block the start.
    }
  }
}

function wasWrittenSince(file: string, since: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;
}
