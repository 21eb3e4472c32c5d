import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { HOUR_MS } from "@comanda/protocol";
import { type BackupPlace, compressedName, isCompressed, readCompressedFacts } from "./compressed-backup.ts";
import { backupName, readBackupName, readPartialName } from "../files/backup-names.ts";
import { namesIn } from "../files/files.ts";
import { makePrivateFolder } from "../files/private-files.ts";
import { withDatabase } from "../files/with-database.ts";
import { tagOf } from "./partial-name.ts";

/** Nobody has written to a file for so long that is still being made. */
const GIVEN_UP_MS = HOUR_MS;

export interface BackupFile {
  /** Its name while it was plain, `hub-daily-….sqlite`: it keeps it when it is compressed. */
  name: string;
  path: string;
  /** What it takes on the disk. */
  bytes: number;
  /** When it was made by the clock of then, ms since 1970. */
  createdAt: number;
  kind: "daily" | "manual" | "before-migration";
  isCompressed: boolean;
}

/** A backup with what it says of its content; null where that cannot be read. */
export interface PlacedBackup {
  file: BackupFile;
  place: BackupPlace | null;
}

/** The backups in a folder, newest content first; those that cannot be read come last. Opens each that is not compressed. */
export function listBackups(dir: string): BackupFile[] {
  return placedBackups(dir).map(({ file }) => file);
}

/** Whose backups: those of one data file of one hub. Several hubs may share a folder, and have files of one name. */
export interface BackupOwner {
  fileName: string | null;
  /** Null where it cannot be told: then the name alone counts. */
  hubId: string | null;
}

export function backupsOf(dir: string, owner: BackupOwner): BackupFile[] {
  return listWithOwn(dir, owner).own;
}

/** All backups in a folder, and of them those that may be of one data file. */
export interface ListedBackups {
  all: BackupFile[];
  own: BackupFile[];
}

/** All in a folder, with those that may be of this data file; the folder is read once. */
export function listWithOwn(dir: string, owner: BackupOwner): ListedBackups {
  const placed = placedBackups(dir);
  return {
    all: placed.map(({ file }) => file),
    own: placed.flatMap((each) => (mayBeOf(each, owner) ? [each.file] : [])),
  };
}

/** All in a folder, those first that may be of this data file: it may have had another name. */
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

/** The number of a history that begins beside the backups in a folder: above theirs, and 0 where there are none. */
export function nextGeneration(dir: string): number {
  // A folder that cannot be read is no reason not to begin.
  const placed = namesIn(dir).length === 0 ? [] : placedBackups(dir);
  return 1 + Math.max(-1, ...placed.map(({ place }) => place?.generation ?? 0));
}

/** The same as `listBackups`, with what each says of its content. */
export function placedBackups(dir: string): PlacedBackup[] {
  if (!existsSync(dir)) return [];
  const found = new Map<string, BackupFile>();
  // A plain file and its compressed form lie side by side where compressing was cut off: the plain one counts.
  for (const each of readdirSync(dir).sort().reverse()) {
    const file = backupFile(dir, each);
    if (file !== null) found.set(file.name, file);
  }
  return [...found.values()].map((file) => ({ file, place: placeOf(file.path) })).sort(byContent);
}

/** Newest content first, by what backups say of themselves; those that cannot be read come last. */
export function byContent(a: PlacedBackup, b: PlacedBackup): number {
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

/** Where the content of a backup stands; null where that cannot be read. */
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

/** When a backup was made by its name (`…-2026-11-21T18-30-00-000Z.sqlite`), ms since 1970; null where that is no time. */
export function timeOfBackup(name: string): number | null {
  return readBackupName(name)?.at ?? null;
}

/** A path for a new backup that none has yet; makes the folder. */
export function newBackupPath(dir: string, kind: string, now: number): string {
  makePrivateFolder(dir);
  const file = path.join(dir, backupName(kind, now));
  const isTaken = existsSync(file) || existsSync(compressedName(file));
  return isTaken ? newBackupPath(dir, kind, now + 1) : file;
}

/** A backup's path as it is now: it may have been compressed since somebody noted it. */
export function presentPath(file: string): string {
  const compressed = compressedName(file);
  return !existsSync(file) && existsSync(compressed) ? compressed : file;
}

/**
 * Clears away what was cut off: backups that were being made or compressed, and what was unpacked of one. Another hub may be
 * making one in the folder just now.
 */
export function removePartialBackups(dir: string, { dbPath, now }: { dbPath: string; now: number }): void {
  const own = tagOf(dbPath);
  for (const name of namesIn(dir)) {
    const found = readPartialName(name);
    const file = path.join(dir, name);
    if (found === null || (![undefined, own].includes(found.tag) && wasWrittenSince(file, now - GIVEN_UP_MS))) continue;
    try {
      rmSync(file, { force: true });
    } catch {
      // On a disk that can only be read, as one that was pulled out may be: no reason not to start.
    }
  }
}

function wasWrittenSince(file: string, since: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;
}
