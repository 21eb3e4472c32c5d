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

/** A restore, noted beside the data file until it is done: a crash at any moment of it is made good by the next start. */
export interface StagedRestore {
  /** The backup to put in the place of the data file; null for an empty one. */
  backup: string | null;
  /** Where the present file is kept. */
  aside: string;
  /** Who asked for it. */
  by: string;
}

interface NotedRestore extends StagedRestore {
  /** There was no data file that could be set aside. */
  wasGone: boolean;
}

/** What became of a staged restore. Until `failed` nothing was touched. */
export type RestoreOutcome = { done: StagedRestore } | { failed: StagedRestore; reason: string };

/** Leaves word of a restore; the next start of the hub carries it out before it opens the data file. */
export function stageRestore(file: string, restore: StagedRestore): void {
  const note = noteFile(file);
  // Made of another backup, by a restore that was not finished.
  removeDatabase(nextFile(file));
  const kept: NotedRestore = { ...restore, wasGone: !existsSync(file) };
  replacePrivate(note, JSON.stringify(kept));
}

/**
 * Carries out the restore that is noted beside a data file; null when there is none. The caller holds the file's lock.
 * A backup that cannot be used leaves everything as it was. Throws a StartError (`restore_unfinished`) when the
 * system does not let the files be renamed: they are back in their places then, and the note stays for the next start.
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
 * Restores a backup (or begins with an empty file, for null) while no hub runs; answers where the file that was there is
 * kept. Throws a StartError: in use, unusable backup, or files that cannot be renamed.
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
    if (former !== null) bringBack(file, former);
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
 * Takes back a restore that was not finished: the hub goes on with the data file that was there. False where there is
 * none, or where the backup has the name of the data file already: the next start tidies up after it.
 */
export function cancelStagedRestore(file: string, world: World): boolean {
  const lock = lockDataFile(file);
  try {
    const hadOne = existsSync(noteFile(file));
    const restore = readNote(file, world);
    if (restore !== null && isInPlace(file, restore)) return false;
    if (restore !== null) bringBack(file, restore);
    removeDatabase(nextFile(file));
    rmSync(noteFile(file), { force: true });
    return hadOne;
  } finally {
    lock.release();
  }
}

/** Makes the new data file under a name of its own, whole and durable before it gets that name. */
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
    bringWhole(presentPath(backup), part);
    // A damaged file was set aside when it was opened.
    const replaced = existsSync(file) ? file : damagedInQuestion(file);
    const lastSeen = readLastSeen(file);
    forkHistory(part, { world, by, backup, replaced, lastSeen, generation, ...(replaced === file && { aside }) });
  }
  syncFile(part);
  renameSync(part, next);
}

/** Throws where the backup is not good. */
function bringWhole(backup: string, part: string): void {
  requireClosed(backup);
  if (isCompressed(backup)) finish(unpackBackup(backup, part));
  const { ok, detail } = verifyBackup(isCompressed(backup) ? part : backup);
  if (!ok) throw new Error(detail);
  if (!isCompressed(backup)) copyPrivate(backup, part);
}

/** A data file that was not closed has its newest changes in the log beside it, which a copy of the file alone would lose. */
export function requireClosed(backup: string): void {
  if ((sizeOf(`${backup}-wal`) ?? 0) === 0) return;
  throw new Error(
    `${backup} is a data file that was not closed: start a hub on it once, with HUB_DB_PATH, and stop it`,
  );
}

/**
 * The damaged file that somebody is asked about; null where it is not about one. What was set aside before that is of a past
 * that has gone on since: to take its drawers and numbers for the last ones would undo what came after.
 */
function damagedInQuestion(file: string): string | null {
  if (!existsSync(decisionFile(file))) return null;
  const question = readFileSync(decisionFile(file), "utf8");
  const start = `${path.basename(file)}.damaged-`;
  const damaged = listAsides(file)
    .filter((name) => name.startsWith(start) && !/-(wal|shm|journal)$/.test(name))
    .sort();
  const isCutOff = parseColumn<unknown>(question, null) === null;
  const asked = damaged.findLast((name) => isCutOff || question.includes(name));
  return asked === undefined ? null : path.join(path.dirname(file), asked);
}

/** Whether the last rename of a restore was made. */
function isInPlace(file: string, { aside, wasGone }: NotedRestore): boolean {
  return !existsSync(nextFile(file)) && existsSync(file) && (wasGone || existsSync(aside));
}

/** What was set aside for a restore that was cut off between its renames has its name again; its log first. */
function bringBack(file: string, { aside }: StagedRestore): void {
  if (existsSync(file)) return;
  moveFiles(asideMoves(aside, file).reverse());
  syncFolderOf(file);
}

function putInPlace(file: string, next: string, { aside }: StagedRestore, world: World): void {
  // Nothing that was kept before is overwritten.
  const isTaken = existsSync(aside) && existsSync(file);
  const kept = isTaken ? asideName(file, "replaced", world.clock.now()) : aside;
  try {
    moveFiles([...asideMoves(file, kept), { from: next, to: file }]);
    syncFolderOf(file);
  } catch (error) {
    throw new StartError(
      "restore_unfinished",
      `A restore of the data file ${file} (HUB_DB_PATH) was begun and cannot be finished, because a file cannot be renamed (${messageOf(error)}); nothing is lost: start again to finish it, or go on with the present data: npm run hub -- restore --cancel`,
    );
  }
}

function readNote(file: string, world: World): NotedRestore | null {
  const note = noteFile(file);
  if (!existsSync(note)) return null;
  try {
    const text = readFileSync(note, "utf8");
    const { backup, aside, by, wasGone = false } = JSON.parse(text) as StagedRestore & Partial<NotedRestore>;
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

/** What is to become the data file. */
function nextFile(file: string): string {
  return `${file}.next`;
}
