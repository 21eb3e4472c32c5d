import { type BackupOwner, listWithOwn, presentPath } from "../db/backups/backup-files.ts";
import { type CheckResult, checkStepByStep } from "../db/integrity/check.ts";
import { readChunks } from "../db/backups/compressed-backup.ts";
import { backUp } from "../db/backups/keep-backups.ts";
import { fillSecondFolder } from "../db/backups/second-folder.ts";
import { openReadOnly } from "../db/open-read-only.ts";
import { testFolder } from "../db/backups/test-folder.ts";
import { verifyStepByStep } from "../db/backups/verify-backup.ts";
import { defineJob } from "../jobs/job.ts";
import { isCorrupt } from "../platform/error-facts.ts";

/** Makes a backup, compresses older ones and removes surplus dailies. Yields its steps. */
export const backUpJob = defineJob("backUp", backUp);

/** Lists the backups in a folder, newest content first, and those that may be of that data file. */
// oxlint-disable-next-line require-yield
export const listBackupFilesJob = defineJob("listBackupFiles", function* ({ dir, owner }: FolderToList) {
  return listWithOwn(dir, owner);
});

interface FolderToList {
  dir: string;
  owner: BackupOwner;
}

/** Verifies a backup. Yields the share read, from 0 to 1. */
export const verifyBackupJob = defineJob("verifyBackup", ({ file }: { file: string }) => verifyStepByStep(file));

/** Yields a compressed backup's unpacked content. */
export const unpackBackupJob = defineJob("unpackBackup", function* ({ file }: { file: string }) {
  for (const { chunk } of readChunks(presentPath(file))) yield chunk;
});

/** Copies good backups to the second folder. Yields each backup's name and progress. */
export const fillSecondFolderJob = defineJob("fillSecondFolder", fillSecondFolder);

/** Tests whether backups can be written to a folder. `isMade`: the hub creates the folder with its first backup. */
// oxlint-disable-next-line require-yield
export const testFolderJob = defineJob("testFolder", function* ({ folder, dataFile, isMade }: FolderToTest) {
  return testFolder(folder, dataFile, isMade);
});

interface FolderToTest {
  folder: string;
  dataFile: string;
  isMade: boolean;
}

interface CheckInput {
  file: string;
  /** Whether to begin with SQLite's own check of the structure. */
  structure: boolean;
}

/** Checks a whole data file. Yields the share read, from 0 to 1. */
export const checkDataFileJob = defineJob("checkDataFile", checkDataFile);

function* checkDataFile({ file, structure }: CheckInput): Generator<number | undefined, CheckResult> {
  try {
    const db = openReadOnly(file);
    try {
      return yield* checkStepByStep(db, { structure });
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { ok: false, isBroken: true, detail: error.message };
  }
}
