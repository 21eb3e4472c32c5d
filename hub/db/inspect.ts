import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { isCorrupt } from "../platform/error-facts.ts";
import { checkAll, checkNewest, type CheckResult, checkStructure } from "./integrity/check.ts";
import { sizeOf } from "./files/files.ts";
import { isBehind, readLastSeen, readPlace } from "./last-seen.ts";
import { newestVersion } from "./migrate.ts";
import { walLosesCommits } from "./integrity/wal-damage.ts";
import { withDatabase } from "./files/with-database.ts";

/** A file up to this size is checked at every start, in some 40 ms; a larger one beside the service. */
const ALWAYS_CHECKED_BYTES = 32 * 1024 * 1024;

/** What is at the place of a data file. Looking at it has written nothing. */
export type Inspection =
  /** No file, or none with anything in it. `walBytes` above 0 is content that has lost its file. */
  | { kind: "nothing"; walBytes: number }
  /** An SQLite file of somebody else's. */
  | { kind: "foreign" }
  | { kind: "damaged"; detail: string }
  | {
      kind: "data_file";
      schemaVersion: number;
      /** The last run closed it. */
      isClean: boolean;
      /** Why commits that were acknowledged are known to be missing from it; null where nothing proves it. */
      loss: string | null;
      /** What a check found; null where none was made. */
      check: CheckResult | null;
      /** The last run did not close it, and SQLite's check of the whole structure, which that asks for, was not made. */
      isStructureUnchecked: boolean;
    };

/**
 * Looks at a data file with a connection that cannot write, which an ordinary one does even when it is only closed: a
 * damaged file stays as it was found. `isSuspect` asks for the check of every record.
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
    // What an earlier version wrote is read in full when it is brought up to date.
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
    // The connection that cannot write leaves its index of the log behind.
    if (!hadSharedMemory) rmSync(`${file}-shm`, { force: true });
    if (walBytes === null && sizeOf(`${file}-wal`) === 0) rmSync(`${file}-wal`, { force: true });
  }
}

/**
 * A backup that was copied into place is turned to a log at its first start. Where that was cut off SQLite has left a
 * journal, and only a connection that may write can take the half of it back.
 */
function rollBackCutOffWrite(file: string): void {
  if ((sizeOf(`${file}-journal`) ?? 0) === 0) return;
  withDatabase(file, { timeout: 200 }, (db) => db.pragma("user_version"));
}

function isOlderCopy(db: Database.Database, file: string): boolean {
  const seen = readLastSeen(file);
  return seen !== null && isBehind(readPlace(db), seen);
}

function readMark(db: Database.Database): boolean {
  const row = db.prepare<[], { isClean: number }>("SELECT is_clean AS isClean FROM hub_state").get();
  if (row === undefined) throw Object.assign(new Error("the hub's own record is missing"), { code: "SQLITE_CORRUPT" });
  return row.isClean === 1;
}
