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

/** A start that looks for a good backup reads files up to this size completely, in a tenth of a second. */
const READ_WHOLE_BYTES = 32 * 1024 * 1024;
/** Share of unpacking in the progress of reading a compressed backup. */
const UNPACKING = 0.4;

/** Whether a backup is reliable. `detail` is `ok` or the problem. */
export interface BackupCheck {
  ok: boolean;
  detail: string;
}

/** Checks that a file is a complete hub data file of a known version, with every record as it was written. */
export function verifyBackup(file: string): BackupCheck {
  return finish(verifyStepByStep(file));
}

/**
 * Verifies a backup in steps, for a worker thread. Yields its progress from 0 to 1. Unpacks a compressed backup beside itself;
 * throws a NoSpaceError if there is no space for that.
 */
export function* verifyStepByStep(file: string): Generator<number | undefined, BackupCheck> {
  try {
    return yield* withPlainBackup(file, verifyPlain);
  } catch (error) {
    if (error instanceof DamagedBackupError) return { ok: false, detail: error.message };
    throw error;
  }
}

/** Runs `work` on a backup's plain form. Unpacks a compressed one, beside it or into `folder`, and removes that afterwards. */
export function* withPlainBackup<T>(
  recorded: string,
  work: (plain: string) => Generator<number | undefined, T>,
  folder = path.dirname(recorded),
): Generator<number | undefined, T> {
  const file = presentPath(recorded);
  if (!isCompressed(file)) return yield* work(file);
  const name = path.basename(file).slice(0, -".zst".length);
  // Tagged with the backup's hub, which removes leftovers at its next start.
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

/** Returns why a file is unusable before its records are read, or null. */
function problemOf(db: Database.Database): string | null {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > newestVersion) return `it is of a newer Comanda Hub (schema ${version})`;
  return isHubFile(db) ? null : "it is no data file of a Comanda Hub";
}

export function isHubFile(db: Database.Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hub_state'").get() !== undefined;
}

/**
 * Returns the newest backup of a data file that is good in every record, or null. Falls back to backups of other files. Blocks
 * while it reads this backup and any newer bad ones.
 */
export function newestVerifiedBackup(dir: string, dbPath: string): string | null {
  return backupsFor(dir, ownerBeside(dbPath)).find(({ path: file }) => verifyBackup(file).ok)?.path ?? null;
}

/**
 * Returns the newest backup that seems good, within seconds at any size, for a start that must ask. Reads small files
 * completely, and of large ones only the length and newest records: they were read completely when made and are again before a
 * restore.
 */
export function newestGoodBackup(dir: string, dbPath: string): string | null {
  return backupsFor(dir, ownerBeside(dbPath)).find(({ path: file, bytes }) => seemsGood(file, bytes))?.path ?? null;
}

/** Returns the owner of a data file that may be damaged or missing. The note beside it contains its hub. */
export function ownerBeside(dbPath: string): BackupOwner {
  return { fileName: path.basename(dbPath), hubId: readLastSeen(dbPath)?.hubId ?? null };
}

function seemsGood(file: string, bytes: number): boolean {
  if (isCompressed(file)) return isWholeInOutline(file);
  return bytes <= READ_WHOLE_BYTES ? verifyBackup(file).ok : isPlausible(file);
}

function isPlausible(file: string): boolean {
  try {
    return withDatabase(file, { readonly: true, fileMustExist: true }, (db) => {
      const bytes =
        Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
      if (problemOf(db) !== null || bytes !== statSync(file).size) return false;
      // An older schema has other indexes, so opening it must suffice.
      return Number(db.pragma("user_version", { simple: true })) < newestVersion || checkNewest(db).ok;
    });
  } catch {
    return false;
  }
}
