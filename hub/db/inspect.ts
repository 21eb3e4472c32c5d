import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { isCorrupt } from "../platform/error-facts.ts";
import { checkAll, checkNewest, type CheckResult, checkStructure } from "./integrity/check.ts";
import { sizeOf } from "./files/files.ts";
import { isBehind, readLastSeen, readPlace } from "./last-seen.ts";
import { newestVersion } from "./migrate.ts";
import { walLosesCommits } from "./integrity/wal-damage.ts";
import { withDatabase } from "./files/with-database.ts";

/** Files up to this size have their structure checked at every start (about 40 ms), larger ones in the background. */
const ALWAYS_CHECKED_BYTES = 32 * 1024 * 1024;

/** What was found at the path of a data file. The inspection does not change the file. */
export type Inspection =
  /** No file, or an empty one. `walBytes` above 0: a write-ahead log with content but without its data file. */
  | { kind: "nothing"; walBytes: number }
  /** An SQLite file of another program. */
  | { kind: "foreign" }
  | { kind: "damaged"; detail: string }
  | {
      kind: "data_file";
      schemaVersion: number;
      /** The last run closed the file. */
      isClean: boolean;
      /** Why acknowledged commits are known to be missing from the file; null if there is no evidence of that. */
      loss: string | null;
      /** Result of the check; null if none was run. */
      check: CheckResult | null;
      /** The last run did not close the file, and the structure check that this requires has not been run yet. */
      isStructureUnchecked: boolean;
    };

/**
 * Inspects a data file over a read-only connection, so that a damaged file stays as it was found: a read-write connection
 * writes even when it is closed. `isSuspect` requests a check of every record.
 */
export function inspectDataFile(file: string, isSuspect: boolean): Inspection {
  const walBytes = sizeOf(`${file}-wal`);
  const bytes = sizeOf(file) ?? 0;
  const hadSharedMemory = sizeOf(`${file}-shm`) !== null;
  if (bytes === 0) return { kind: "nothing", walBytes: walBytes ?? 0 };
  const losesCommits = walLosesCommits(`${file}-wal`);
  let db: Database.Database | undefined;
  try {
    rollBackCutOffWrite(file);
    db = new Database(file, { readonly: true, timeout: 200 });
    const schemaVersion = Number(db.pragma("user_version", { simple: true }));
    const names = db.prepare("SELECT name FROM sqlite_schema").pluck().all() as string[];
    if (names.length === 0) return { kind: "nothing", walBytes: walBytes ?? 0 };
    if (!names.includes("hub_state")) return { kind: "foreign" };
    if (schemaVersion === 0) return { kind: "damaged", detail: "its header does not fit its content" };
    const isClean = readMark(db);
    const isSmall = bytes <= ALWAYS_CHECKED_BYTES;
    const structure = isSmall && !isSuspect ? checkStructure(db) : null;
    // A file of an earlier version is read in full when it is migrated.
    const isNewestRead = structure?.ok !== false && (schemaVersion === newestVersion || (!isSmall && !isClean));
    const check = isSuspect ? checkAll(db) : isNewestRead ? checkNewest(db) : structure;
    if (check?.isBroken === true) return { kind: "damaged", detail: check.detail };
    const loss = losesCommits
      ? "its write-ahead log is damaged, and what was written last cannot be read"
      : !isClean && walBytes === null
        ? "its write-ahead log is gone, and with it what was written last"
        : isOlderCopy(db, file)
          ? isClean
            ? "it holds less than this hub had written to it: an older copy is in its place"
            : "it holds less than this hub had written to it: its write-ahead log was emptied or cut off, or an older copy is in its place"
          : null;
    const isStructureUnchecked = !isSuspect && !isSmall && !isClean;
    return { kind: "data_file", schemaVersion, isClean, loss, check, isStructureUnchecked };
  } catch (error) {
    if (isCorrupt(error)) return { kind: "damaged", detail: error.message };
    throw error;
  } finally {
    db?.close();
    // A read-only connection does not remove the `-shm` file that it creates.
    if (!hadSharedMemory) rmSync(`${file}-shm`, { force: true });
    if (walBytes === null && sizeOf(`${file}-wal`) === 0) rmSync(`${file}-wal`, { force: true });
  }
}

/**
 * Rolls back a write that a crash interrupted. The first start on a restored backup switches it to WAL mode; a crash during
 * that leaves a rollback journal, which only a read-write connection can apply.
 */
function rollBackCutOffWrite(file: string): void {
  if ((sizeOf(`${file}-journal`) ?? 0) === 0) return;
  withDatabase(file, { timeout: 200 }, (db) => db.pragma("user_version"));
}

function isOlderCopy(db: Database.Database, file: string): boolean {
  const lastSeen = readLastSeen(file);
  return lastSeen !== null && isBehind(readPlace(db), lastSeen);
}

function readMark(db: Database.Database): boolean {
  const row = db.prepare<[], { isClean: number }>("SELECT is_clean AS isClean FROM hub_state").get();
  if (row === undefined) throw Object.assign(new Error("the hub's own record is missing"), { code: "SQLITE_CORRUPT" });
  return row.isClean === 1;
}
