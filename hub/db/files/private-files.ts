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
 * Only the hub's own account may read its files: they contain guests' names, amounts and session digests. Modes are set
 * regardless of the umask. Windows has no such modes; there the permissions of the folder apply.
 */
const FILE = 0o600;
const FOLDER = 0o700;
const OTHERS = 0o077;
const hasModes = process.platform !== "win32";

/** Creates an empty private file for SQLite if there is none: SQLite gives the `-wal` and `-shm` files the same mode. */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", FILE));
  } catch (error) {
    if (!existsSync(file)) throw error;
    // An existing file is not opened: closing it would release this process's locks on it.
  }
  makePrivate(file);
}

export function writePrivate(file: string, content: string | Buffer): void {
  writeFileSync(file, content, { mode: FILE });
  makePrivate(file);
}

/** Returns the content of a file, or null if it does not exist. Throws if the file exists but cannot be read. */
export function readIfPresent(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    // ENOENT also occurs for a link into a disconnected network share.
    if (codeOf(error) === "ENOENT" && lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    throw error;
  }
}

/** Replaces a file atomically: even after a power cut it has either the old or the new content. */
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

/** Creates a folder and its missing ancestors. Existing folders keep their mode: they may belong to other users. */
export function makePrivateFolder(folder: string): void {
  const missing: string[] = [];
  // Not `recursive`: it never returns if a folder cannot be created in an existing one.
  // The second condition ends the loop at the root of a missing drive.
  for (let dir = folder; !existsSync(dir) && dir !== missing[0]; dir = path.dirname(dir)) missing.unshift(dir);
  for (const dir of missing) {
    mkdirSync(dir, FOLDER);
    setMode(dir, FOLDER);
  }
}

/** Makes files private that other accounts can access, for example after a manual copy. */
export function tightenFiles(dataFile: string, backupDir: string): void {
  for (const file of openToOthers(dataFile, backupDir)) makePrivate(file);
}

/** Lists the data file, its companion files and its backups, as far as other accounts can access them. */
export function openToOthers(dataFile: string, backupDir: string): string[] {
  if (!hasModes) return [];
  const name = path.basename(dataFile);
  const isOwn = (each: string): boolean => each === name || each.startsWith(`${name}.`) || each.startsWith(`${name}-`);
  return [...filesIn(path.dirname(dataFile), isOwn), ...filesIn(backupDir, isBackupName)];
}

function filesIn(folder: string, isOwn: (name: string) => boolean): string[] {
  return namesIn(folder)
    .filter(isOwn)
    .map((name) => path.join(folder, name))
    .filter((file) => {
      // Links are skipped: their target may not be the hub's file.
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
    // Another account's file, or a disk without modes: the hub works anyway, and `doctor` reports it.
  }
}
