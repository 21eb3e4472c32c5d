import { logEvent } from "../../platform/log-event.ts";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../platform/error-facts.ts";
import { StartError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import { nextGeneration, presentPath } from "../backups/backup-files.ts";
import { isCompressed, unpackBackup } from "../backups/compressed-backup.ts";
import { lockDataFile } from "../files/data-file-lock.ts";
import { clearSuspicion } from "../integrity/data-file-watch.ts";
import {
  asideMoves,
  asideName,
  decisionFile,
  listAsides,
  moveFiles,
  removeDatabase,
  sizeOf,
  syncFile,
  syncFolderOf,
} from "../files/files.ts";
import { forkHistory } from "./fork-history.ts";
import { forgetLastSeen, readLastSeen } from "../last-seen.ts";
import { createDataFile } from "../migrate.ts";
import { copyPrivate, replacePrivate } from "../files/private-files.ts";
import { finish } from "../files/steps.ts";
import { parseColumn } from "../rows/parse-column.ts";
import { verifyBackup } from "../backups/verify-backup.ts";

/** A restore that is noted beside the data file until it is done, so that the next start finishes it after a crash. */
export interface StagedRestore {
  /** The backup that replaces the data file; null for an empty file. */
  backup: string | null;
  /** Where the current data file is kept. */
  aside: string;
  /** The user who requested the restore. */
  by: string;
}

interface RestoreNote extends StagedRestore {
  /** There was no data file to set aside. */
  wasGone: boolean;
}

/** The result of a staged restore. If it failed, the data file is unchanged. */
export type RestoreOutcome = { done: StagedRestore } | { failed: StagedRestore; reason: string };

/** Notes a restore beside the data file; the next start of the hub performs it before it opens the data file. */
export function stageRestore(file: string, restore: StagedRestore): void {
  const note = noteFile(file);
  // Left by an unfinished restore of another backup.
  removeDatabase(nextFile(file));
  const content: RestoreNote = { ...restore, wasGone: !existsSync(file) };
  replacePrivate(note, JSON.stringify(content));
}

/**
 * Performs the restore that is noted beside a data file; returns null if there is none. The caller holds the file's lock.
 * An unusable backup changes nothing. Throws a StartError (`restore_unfinished`) if the files cannot be renamed; the
 * renames are then undone, and the note stays for the next start.
 */
export function finishStagedRestore(file: string, backupDir: string, world: World): RestoreOutcome | null {
  const restore = readNote(file, world);
  if (restore === null) return null;
  const next = nextFile(file);
  if (!isInPlace(file, restore)) {
    try {
      if (!existsSync(next)) build(next, { file, backupDir, world }, restore);
    } catch (error) {
      removeDatabase(`${next}.part`);
      rmSync(noteFile(file), { force: true });
      const reason = messageOf(error);
      world.log.error(
        logEvent("restore_failed", { err: error, backup: restore.backup }),
        "a backup could not be restored",
      );
      return { failed: restore, reason };
    }
    putInPlace(file, next, restore, world);
  }
  rmSync(decisionFile(file), { force: true });
  clearSuspicion(file);
  forgetLastSeen(file);
  rmSync(noteFile(file), { force: true });
  world.log.warn({ ...restore }, "the data file was replaced");
  return { done: restore };
}

/**
 * Restores a backup (null: starts with an empty file) while no hub runs. Returns where the previous file is kept. Throws a
 * StartError if the data file is in use, the backup is unusable, or files cannot be renamed.
 */
export function restoreNow(
  { dbPath: file, backupDir }: { dbPath: string; backupDir: string },
  backup: string | null,
  by: string,
  world: World,
): { keptAside: string | null } {
  const lock = lockDataFile(file);
  try {
    const former = readNote(file, world);
    if (former !== null) moveBack(file, former);
    const aside = asideName(file, "replaced", world.clock.now());
    stageRestore(file, { backup, aside, by });
    const outcome = finishStagedRestore(file, backupDir, world);
    if (outcome !== null && "failed" in outcome) {
      throw new StartError("data_file_unusable", `The backup ${backup} cannot be used: ${outcome.reason}.`);
    }
    return { keptAside: asideMoves(aside, aside).length > 0 ? aside : null };
  } finally {
    lock.release();
  }
}

/**
 * Cancels an unfinished restore, so that the hub keeps its data file. Returns false if there is none, or if the backup has
 * already replaced the data file; the next start then finishes the restore.
 */
export function cancelStagedRestore(file: string, world: World): boolean {
  const lock = lockDataFile(file);
  try {
    const wasStaged = existsSync(noteFile(file));
    const restore = readNote(file, world);
    if (restore !== null && isInPlace(file, restore)) return false;
    if (restore !== null) moveBack(file, restore);
    removeDatabase(nextFile(file));
    rmSync(noteFile(file), { force: true });
    return wasStaged;
  } finally {
    lock.release();
  }
}

/** Builds the new data file in a temporary file, and renames it to `next` once it is complete and durable. */
function build(
  next: string,
  { file, backupDir, world }: { file: string; backupDir: string; world: World },
  { backup, by, aside }: StagedRestore,
): void {
  const part = `${next}.part`;
  removeDatabase(part);
  const generation = nextGeneration(backupDir);
  if (backup === null) createDataFile(part, world, generation);
  else {
    materialize(presentPath(backup), part);
    // A damaged file was already set aside when the hub tried to open it.
    const replaced = existsSync(file) ? file : damagedInQuestion(file);
    const lastSeen = readLastSeen(file);
    forkHistory(part, { world, by, backup, replaced, lastSeen, generation, ...(replaced === file && { aside }) });
  }
  syncFile(part);
  renameSync(part, next);
}

/** Copies or unpacks a backup to `part`. Throws if the backup is not good. */
function materialize(backup: string, part: string): void {
  requireClosed(backup);
  if (isCompressed(backup)) finish(unpackBackup(backup, part));
  const { ok, detail } = verifyBackup(isCompressed(backup) ? part : backup);
  if (!ok) throw new Error(detail);
  if (!isCompressed(backup)) copyPrivate(backup, part);
}

/** Throws if a data file was not closed: its newest changes are in the write-ahead log, which a copy would lack. */
export function requireClosed(backup: string): void {
  if ((sizeOf(`${backup}-wal`) ?? 0) === 0) return;
  throw new Error(
    `${backup} is a data file that was not closed: start a hub on it once, with HUB_DB_PATH, and stop it`,
  );
}

/**
 * Returns the damaged file that the operator's pending decision is about; null if it is not about one. Files set aside earlier
 * are not used: treating their tills and numbers as the latest would undo later changes.
 */
function damagedInQuestion(file: string): string | null {
  if (!existsSync(decisionFile(file))) return null;
  const question = readFileSync(decisionFile(file), "utf8");
  const start = `${path.basename(file)}.damaged-`;
  const damaged = listAsides(file)
    .filter((name) => name.startsWith(start) && !/-(wal|shm|journal)$/.test(name))
    .sort();
  const isCutOff = parseColumn<unknown>(question, null) === null;
  const related = damaged.findLast((name) => isCutOff || question.includes(name));
  return related === undefined ? null : path.join(path.dirname(file), related);
}

/** Whether the last rename of a restore has been done. */
function isInPlace(file: string, { aside, wasGone }: RestoreNote): boolean {
  return !existsSync(nextFile(file)) && existsSync(file) && (wasGone || existsSync(aside));
}

/** Undoes the renames of a restore that was interrupted between them; the data file itself comes last. */
function moveBack(file: string, { aside }: StagedRestore): void {
  if (existsSync(file)) return;
  moveFiles(asideMoves(aside, file).reverse());
  syncFolderOf(file);
}

function putInPlace(file: string, next: string, { aside }: StagedRestore, world: World): void {
  // Avoids overwriting a file that was kept earlier.
  const isOccupied = existsSync(aside) && existsSync(file);
  const target = isOccupied ? asideName(file, "replaced", world.clock.now()) : aside;
  try {
    moveFiles([...asideMoves(file, target), { from: next, to: file }]);
    syncFolderOf(file);
  } catch (error) {
    throw new StartError(
      "restore_unfinished",
      `A restore of the data file ${file} (HUB_DB_PATH) was begun and cannot be finished, because a file cannot be renamed (${messageOf(error)}); nothing is lost: start again to finish it, or go on with the present data: npm run hub -- restore --cancel`,
    );
  }
}

function readNote(file: string, world: World): RestoreNote | null {
  const note = noteFile(file);
  if (!existsSync(note)) return null;
  try {
    const text = readFileSync(note, "utf8");
    const { backup, aside, by, wasGone = false } = JSON.parse(text) as StagedRestore & Partial<RestoreNote>;
    if (typeof aside !== "string" || (backup !== null && typeof backup !== "string")) throw new Error("not a restore");
    return { backup, aside, by, wasGone };
  } catch (error) {
    world.log.error(
      { err: error, note },
      "the note of a restore cannot be read; the hub goes on with the present data file",
    );
    renameSync(note, `${note}.unreadable`);
    return null;
  }
}

function noteFile(file: string): string {
  return `${file}.restore`;
}

/** Returns the path of the file that will replace the data file. */
function nextFile(file: string): string {
  return `${file}.next`;
}
