import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { messageOf } from "../../platform/error-facts.ts";
import { type BackupOwner, backupsFor, placeOf, presentPath } from "./backup-files.ts";
import { signOf } from "./partial-name.ts";
import { checkNewest, checkStepByStep } from "../integrity/check.ts";
import { DamagedBackupError, isCompressed, isWholeInOutline, unpackBackup } from "./compressed-backup.ts";
import { removeDatabase } from "../files/files.ts";
import { readLastSeen } from "../last-seen.ts";
import { newestVersion } from "../migrate.ts";
import { finish, mapSteps } from "../files/steps.ts";
import { withDatabase } from "../files/with-database.ts";

/** Up to this size a start that looks for a good backup reads it whole, in a tenth of a second. */
const READ_WHOLE_BYTES = 32 * 1024 * 1024;
/** What of the progress of reading a compressed backup is its unpacking. */
const UNPACKING = 0.4;

/** Whether a backup can be relied on; `detail` is `ok` or what is wrong. */
export interface BackupCheck {
  ok: boolean;
  detail: string;
}

/** Says whether a file is a hub's data file, of a version that this hub knows, whole and with every record as it was written. */
export function verifyBackup(file: string): BackupCheck {
  return finish(verifyStepByStep(file));
}

/**
 * The same step by step, for a thread of its own: yields now and then how much of it was read, from 0 to 1. A compressed
 * backup is unpacked beside itself for it; throws a NoSpaceError where there is no space for that.
 */
export function* verifyStepByStep(file: string): Generator<number | undefined, BackupCheck> {
  try {
    return yield* withPlainBackup(file, verifyPlain);
  } catch (error) {
    if (error instanceof DamagedBackupError) return { ok: false, detail: error.message };
    throw error;
  }
}

/** Runs `work` on the plain form of a backup, which is gone afterwards where it had to be unpacked: beside it, or in `folder`. */
export function* withPlainBackup<T>(
  noted: string,
  work: (plain: string) => Generator<number | undefined, T>,
  folder = path.dirname(noted),
): Generator<number | undefined, T> {
  const file = presentPath(noted);
  if (!isCompressed(file)) return yield* work(file);
  const name = path.basename(file).slice(0, -".zst".length);
  // By the hub whose backup it is, which clears away at its next start what a kill leaves.
  const place = placeOf(file);
  const part = `${place === null ? "" : `${signOf(place.hubId)}.`}${randomBytes(4).toString("hex")}.part`;
  const plain = path.join(folder, `${name}.${part}`);
  try {
    yield* mapSteps(unpackBackup(file, plain), (progress) => progress * UNPACKING);
    return yield* mapSteps(work(plain), (progress) => UNPACKING + progress * (1 - UNPACKING));
  } finally {
    removeDatabase(plain);
  }
}

export function* verifyPlain(file: string): Generator<number | undefined, BackupCheck> {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const problem = problemOf(db);
    if (problem !== null) return { ok: false, detail: problem };
    const { ok, detail } = yield* checkStepByStep(db, { structure: true, skipsMarked: true });
    return { ok, detail };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  } finally {
    db?.close();
  }
}

/** What speaks against a file before its records are read; null when nothing does. */
function problemOf(db: Database.Database): string | null {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > newestVersion) return `it is of a newer Comanda Hub (schema ${version})`;
  return isHubFile(db) ? null : "it is no data file of a Comanda Hub";
}

export function isHubFile(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hub_state'").get() !== undefined;
}

/**
 * The newest backup of a data file that is good in every record, or null; one of another file only where it has none. Blocks
 * as long as it takes to read it, and those before it that are not.
 */
export function newestVerifiedBackup(dir: string, dbPath: string): string | null {
  return backupsFor(dir, ownerBeside(dbPath)).find(({ path: file }) => verifyBackup(file).ok)?.path ?? null;
}

/**
 * The same of what seems good; for a start that has to ask, so it answers within seconds at any size. A small
 * file is read whole. Of a large one its length and its newest records are looked at: it was read whole when it was made,
 * and is again before it is restored.
 */
export function newestGoodBackup(dir: string, dbPath: string): string | null {
  return backupsFor(dir, ownerBeside(dbPath)).find(({ path: file, bytes }) => seemsGood(file, bytes))?.path ?? null;
}

/** Which backups are of a data file that may be damaged or gone: the note beside it tells whose it was. */
export function ownerBeside(dbPath: string): BackupOwner {
  return { fileName: path.basename(dbPath), hubId: readLastSeen(dbPath)?.hubId ?? null };
}

function seemsGood(file: string, bytes: number): boolean {
  if (isCompressed(file)) return isWholeInOutline(file);
  return bytes <= READ_WHOLE_BYTES ? verifyBackup(file).ok : looksGood(file);
}

function looksGood(file: string): boolean {
  try {
    return withDatabase(file, { readonly: true, fileMustExist: true }, (db) => {
      const bytes =
        Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
      if (problemOf(db) !== null || bytes !== statSync(file).size) return false;
      // Of an older schema, which has other indexes, that it opens has to do.
      return Number(db.pragma("user_version", { simple: true })) < newestVersion || checkNewest(db).ok;
    });
  } catch {
    return false;
  }
}
