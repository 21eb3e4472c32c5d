import Database from "better-sqlite3";
import { type BackupContent, readBackupContent } from "../db/backups/backup-content.ts";
import { NoSpaceError } from "../db/files/disk-space.ts";
import { findLostOrders } from "../db/restore/lost-orders.ts";
import { openReadOnly } from "../db/open-read-only.ts";
import type { LostOrder } from "../db/restore/salvage-orders.ts";
import { withPlainBackup } from "../db/backups/verify-backup.ts";
import { defineJob } from "../jobs/job.ts";
import { messageOf } from "../platform/error-facts.ts";

/** How many lost orders are listed. */
const LOST_SHOWN = 50;

interface Preview extends BackupContent {
  lost: { total: number; newest: LostOrder[] };
}

/** Reads a backup's content and the orders that it lacks. Returns a problem text if it cannot be read. */
export const previewBackupJob = defineJob("previewBackup", previewBackup);

function* previewBackup({
  file,
  dataFile,
}: {
  file: string;
  dataFile: string;
}): Generator<number | undefined, Preview | { problem: string }> {
  try {
    return yield* withPlainBackup(file, function* compareWithDataFile(plain) {
      const copy = new Database(plain, { readonly: true, fileMustExist: true });
      const live = openReadOnly(dataFile);
      try {
        const facts = readBackupContent(copy);
        yield undefined;
        const { lost } = findLostOrders(copy, live);
        return { ...facts, lost: { total: lost.length, newest: lost.slice(0, LOST_SHOWN) } };
      } finally {
        live.close();
        copy.close();
      }
    });
  } catch (error) {
    if (error instanceof NoSpaceError) throw error;
    return { problem: messageOf(error) };
  }
}
