import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { existingFolder } from "../files/disk-space.ts";
import { withDatabase } from "../files/with-database.ts";
import { parseColumn } from "../rows/parse-column.ts";

/** Memory keys for the facts about the two backup folders. */
export const FOLDER_MEMORY = { first: "backupFolder", second: "secondBackupFolder" } as const;

/** Last known facts about a backup folder. */
export interface FolderRecord {
  folder: string;
  dbPath: string;
  /** `isSameDisk`: on the data file's disk, so both are lost together. */
  facts: { isSameDisk: boolean } | null;
}

/**
 * Whether a folder is, or will be created, on the disk of the data file, as far as the system distinguishes disks. Throws if
 * the folder's disk is missing, including when the folder was on another disk and now seems to be on this one: an empty mount
 * point remains when its disk is removed.
 */
export function requireDiskOf(folder: string, dataFile: string): boolean {
  const place = existingFolder(folder);
  // A missing Windows drive has no existing parent folder.
  if (!existsSync(place)) throw diskIsAway(folder);
  const isSameDisk = statSync(place).dev === statSync(path.dirname(dataFile)).dev;
  if (isSameDisk && wasOnOtherDisk(folder, dataFile)) throw diskIsAway(folder);
  return isSameDisk;
}

function diskIsAway(folder: string): Error {
  return Object.assign(new Error(`the disk of ${folder} is not there`), { code: "ENODEV" });
}

/** Whether a folder was on another disk. Ignores facts about another folder or from another data file. */
function wasOnOtherDisk(folder: string, dataFile: string): boolean {
  return rememberedFolders(dataFile)
    .map((value) => parseColumn<FolderRecord | null>(value, null))
    .some((record) => record?.folder === folder && record.dbPath === dataFile && record.facts?.isSameDisk === false);
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
    // There is no data file yet, or it is damaged, which is reported elsewhere.
    return [];
  }
}
