import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { existingFolder } from "../files/disk-space.ts";
import { withDatabase } from "../files/with-database.ts";
import { parseColumn } from "../rows/parse-column.ts";

/** Under which names the data file remembers what it knows of the folders of its backups. */
export const FOLDER_MEMORY = { first: "backupFolder", second: "secondBackupFolder" } as const;

/** What it knows of one, as it last was. */
export interface KnownFolder {
  folder: string;
  dbPath: string;
  /** `isSameDisk`: on the disk of the data file, so that both are lost together. */
  facts: { isSameDisk: boolean } | null;
}

/**
 * Whether a folder is on the disk of the data file, as far as the system tells disks apart; one that is not made yet is where
 * it will be. Throws where its disk is not there, also where it was on another one and seems to be on this: the empty folder in
 * which a disk is mounted stays when the disk is taken away.
 */
export function requireDiskOf(folder: string, dataFile: string): boolean {
  const place = existingFolder(folder);
  // Above a drive of Windows that is not there lies nothing.
  if (!existsSync(place)) throw diskIsAway(folder);
  const isSameDisk = statSync(place).dev === statSync(path.dirname(dataFile)).dev;
  if (isSameDisk && wasOnOtherDisk(folder, dataFile)) throw diskIsAway(folder);
  return isSameDisk;
}

function diskIsAway(folder: string): Error {
  return Object.assign(new Error(`the disk of ${folder} is not there`), { code: "ENODEV" });
}

/** What was learned of another folder, or beside another data file, says nothing. */
function wasOnOtherDisk(folder: string, dataFile: string): boolean {
  return rememberedFolders(dataFile)
    .map((value) => parseColumn<KnownFolder | null>(value, null))
    .some((known) => known?.folder === folder && known.dbPath === dataFile && known.facts?.isSameDisk === false);
}

function rememberedFolders(dataFile: string): string[] {
  try {
    return withDatabase(dataFile, { readonly: true }, (db) =>
      db
        .prepare<string[], string>("SELECT value FROM remembered WHERE name IN (?, ?)")
        .pluck()
        .all(...Object.values(FOLDER_MEMORY)),
    );
  } catch {
    // There is none yet, or it is damaged, which others tell.
    return [];
  }
}
