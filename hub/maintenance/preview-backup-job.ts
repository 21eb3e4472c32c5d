import Database from "better-sqlite3";
import { NoSpaceError } from "../db/disk-space.ts";
import { findLostOrders } from "../db/lost-orders.ts";
import { openReadOnly } from "../db/open-read-only.ts";
import type { LostOrder } from "../db/salvage-orders.ts";
import { withPlainBackup } from "../db/verify-backup.ts";
import { defineJob } from "../jobs/job.ts";
import { messageOf } from "../platform/errors.ts";

/** How many of the lost orders are listed. */
const LOST_SHOWN = 50;

interface BackupFacts {
  orders: number;
  activeOrders: number;
  pendingForward: number;
  /** Ms since 1970. */
  newestChangeAt: number | null;
  newestVersionId: number | null;
}

interface Preview extends BackupFacts {
  lost: { total: number; newest: LostOrder[] };
}

/** What a backup holds and what of the data file it lacks; a sentence where it cannot be read. */
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
        const facts = readFacts(copy);
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

function readFacts(copy: Database.Database): BackupFacts {
  const facts = copy
    .prepare<[], BackupFacts>(`
      SELECT (SELECT count(*) FROM orders) AS orders,
        (SELECT count(*) FROM orders WHERE is_active = 1) AS activeOrders,
        (SELECT count(*) FROM hub_events WHERE forwarded = 0) AS pendingForward,
        (SELECT max(at) FROM order_versions) AS newestChangeAt,
        (SELECT max(id) FROM order_versions) AS newestVersionId`)
    .get();
  if (facts === undefined) throw new Error("the backup is empty");
  return facts;
}
