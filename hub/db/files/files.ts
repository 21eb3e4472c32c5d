import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../../platform/error-facts.ts";

/** Suffixes of a database file and of the files that SQLite keeps beside it. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;

/** Delays between attempts to rename a file that another program, such as a virus scanner, holds open. */
const RENAME_WAITS_MS = [20, 50, 100, 200, 400, 800, 1_600];
const BUSY_CODES: ReadonlySet<string> = new Set(["EBUSY", "EPERM", "EACCES"]);

export interface Move {
  from: string;
  to: string;
}

/**
 * Renames files in order, all or none: if one rename fails, it undoes the earlier ones and throws the error.
 * Blocks for up to three seconds if another program holds a file open. `rename` defaults to the system call.
 */
export function moveFiles(moves: readonly Move[], rename: (from: string, to: string) => void = renameSync): void {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      renameWithRetries(move, rename);
      done.push(move);
    }
  } catch (error) {
    for (const { from, to } of done.reverse()) renameWithRetries({ from: to, to: from }, rename);
    throw error;
  }
}

function renameWithRetries({ from, to }: Move, rename: (from: string, to: string) => void): void {
  for (const waitMs of [...RENAME_WAITS_MS, null]) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const code = codeOf(error);
      if (waitMs === null || !BUSY_CODES.has(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

/** Returns the renames that move a database, and the files that SQLite keeps beside it, to another name. */
export function asideMoves(file: string, aside: string): Move[] {
  return DATABASE_SUFFIXES.filter((suffix) => existsSync(file + suffix)).map((suffix) => ({
    from: file + suffix,
    to: aside + suffix,
  }));
}

/** Syncs the content of a file to disk. */
export function syncFile(file: string): void {
  withFile(file, "r+", fsyncSync);
}

export function withFile<T>(file: string, flags: "r" | "r+", work: (handle: number) => T): T {
  const handle = openSync(file, flags);
  try {
    return work(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes renames in the folder of `file` durable if the system can sync folders (Windows cannot, and need not). */
export function syncFolderOf(file: string): void {
  try {
    withFile(path.dirname(file), "r", fsyncSync);
  } catch {
    // The rename itself has succeeded.
  }
}

/** Lists the names in a folder; empty if it cannot be read, because a missing disk must not prevent a start. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the size in bytes; null if the file does not exist. */
export function sizeOf(file: string): number | null {
  return existsSync(file) ? statSync(file).size : null;
}

export function removeDatabase(file: string): void {
  for (const suffix of DATABASE_SUFFIXES) rmSync(file + suffix, { force: true });
}

/** Removes an unfinished copy. Never throws, which would hide why the copy failed; the next start removes leftover files. */
export function removeUnfinished(file: string): void {
  try {
    removeDatabase(file);
  } catch {
    // See above.
  }
}

/** Returns an unused name beside `file` with the reason and time: `hub.sqlite.damaged-2026-11-21T18-30-00-000Z`. */
export function asideName(file: string, reason: "damaged" | "replaced", now: number): string {
  const name = `${file}.${reason}-${fileStamp(now)}`;
  const exists = (candidate: string): boolean => DATABASE_SUFFIXES.some((suffix) => existsSync(candidate + suffix));
  let free = name;
  for (let n = 2; exists(free); n += 1) free = `${name}-${n}`;
  return free;
}

/** Formats a time so that every system accepts it in file names. */
export function fileStamp(now: number): string {
  return new Date(now).toISOString().replace(/[:.]/g, "-");
}

export function listAsides(file: string): string[] {
  const folder = path.dirname(file);
  const prefixes = [`${path.basename(file)}.damaged-`, `${path.basename(file)}.replaced-`];
  return existsSync(folder)
    ? readdirSync(folder).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    : [];
}

/** Returns the path of the file with the question that an operator must decide before a start without data file. */
export function decisionFile(file: string): string {
  return `${file}.needs-decision`;
}
