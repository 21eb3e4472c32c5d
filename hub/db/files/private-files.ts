import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { codeOf } from "../../platform/error-facts.ts";
import { isBackupName } from "./backup-names.ts";
import { moveFiles, namesIn, syncFile, syncFolderOf } from "./files.ts";

/**
 * What the hub keeps is for its own account alone: guests' names, money, and digests of sessions lie in it. Modes are set
 * whatever the umask says. On Windows, which has no such modes, the rights of the folder hold.
 */
const FILE = 0o600;
const FOLDER = 0o700;
const OTHERS = 0o077;
const hasModes = process.platform !== "win32";

/** Makes an empty private file where there is none, for SQLite to fill: the log and the index of it take its mode. */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", FILE));
  } catch (error) {
    if (!existsSync(file)) throw error;
    // Never opened here when it is there: closing it again would free the locks that this process has on it.
  }
  makePrivate(file);
}

export function writePrivate(file: string, content: string | Buffer): void {
  writeFileSync(file, content, { mode: FILE });
  makePrivate(file);
}

/** What is in a file; null only where there is none: one that the system holds back is a failure, not nothing. */
export function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    // Behind a link into a share that is away it is not found either.
    if (codeOf(error) === "ENOENT" && lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    throw error;
  }
}

/** Replaces a file: whatever happens meanwhile, a power cut too, all of the old or all of the new one is there. */
export function replacePrivate(file: string, content: string): void {
  const part = `${file}.part`;
  writePrivate(part, content);
  syncFile(part);
  moveFiles([{ from: part, to: file }]);
  syncFolderOf(file);
}

export function copyPrivate(from: string, to: string, mode?: number): void {
  copyFileSync(from, to, mode);
  makePrivate(to);
}

/** Makes a folder and those above it that are missing. One that is there keeps its mode: it may be anybody's. */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  // Step by step: Node's own recursive way never ends where a folder cannot be made in an existing one.
  // Nothing lies above a drive that is not there.
  for (let dir = folder; !existsSync(dir) && dir !== missing[0]; dir = path.dirname(dir)) missing.unshift(dir);
  for (const dir of missing) {
    mkdirSync(dir, FOLDER);
    setMode(dir, FOLDER);
  }
}

/** Tightens what a copy by hand has left open to others. */
export function tightenFiles(dataFile: string, backupDir: string): void {
  for (const file of openToOthers(dataFile, backupDir)) makePrivate(file);
}

/** The data file, what lies beside it, and its backups, as far as other accounts may read or write them. */
export function openToOthers(dataFile: string, backupDir: string): string[] {
  if (!hasModes) return [];
  const name = path.basename(dataFile);
  const isOurs = (each: string): boolean => each === name || each.startsWith(`${name}.`) || each.startsWith(`${name}-`);
  return [...filesIn(path.dirname(dataFile), isOurs), ...filesIn(backupDir, isBackupName)];
}

function filesIn(folder: string, isOurs: (name: string) => boolean): string[] {
  return namesIn(folder)
    .filter(isOurs)
    .map((name) => path.join(folder, name))
    .filter((file) => {
      // A link that somebody else put there leads to a file that is not the hub's to change.
      const facts = lstatSync(file, { throwIfNoEntry: false });
      return facts?.isFile() === true && (facts.mode & OTHERS) !== 0;
    });
}

function makePrivate(file: string): void {
  setMode(file, FILE);
}

function setMode(target: string, mode: number): void {
  if (!hasModes) return;
  try {
    chmodSync(target, mode);
  } catch {
    // Another account's file, or a disk without modes: the hub works all the same, and `doctor` reports it.
  }
}
