import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../../platform/error-facts.ts";

/** A database and what SQLite keeps beside it. */
export const DATABASE_SUFFIXES = ["", "-wal", "-shm", "-journal"] as const;

/** How long a rename is attempted again while another program, such as a virus scanner, holds the file. */
const RENAME_WAITS_MS = [20, 50, 100, 200, 400, 800, 1_600];
const HELD_BY_OTHERS: ReadonlySet<string> = new Set(["EBUSY", "EPERM", "EACCES"]);

export interface Move {
  from: string;
  to: string;
}

/**
 * Renames files in order, all or none: when one cannot be renamed, those before it go back and the error is thrown.
 * Blocks for up to three seconds where a file is held by another program. `rename` is the system's own.
 */
export function moveFiles(moves: readonly Move[], rename: (from: string, to: string) => void = renameSync): void {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      renameInTime(move, rename);
      done.push(move);
    }
  } catch (error) {
    for (const { from, to } of done.reverse()) renameInTime({ from: to, to: from }, rename);
    throw error;
  }
}

function renameInTime({ from, to }: Move, rename: (from: string, to: string) => void): void {
  for (const waitMs of [...RENAME_WAITS_MS, null]) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const code = codeOf(error);
      if (waitMs === null || !HELD_BY_OTHERS.has(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

/** The renames that set a database aside under another name, with what SQLite keeps beside it. */
export function asideMoves(file: string, aside: string): Move[] {
  return DATABASE_SUFFIXES.filter((suffix) => existsSync(file + suffix)).map((suffix) => ({
    from: file + suffix,
    to: aside + suffix,
  }));
}

/** Makes the content of a file durable. */
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

/** Makes renames in the folder of `file` durable, where the system can sync folders (Windows cannot, and need not). */
export function syncFolderOf(file: string): void {
  try {
    withFile(path.dirname(file), "r", fsyncSync);
  } catch {
    // Nothing is lost: the rename itself happened.
  }
}

/** What lies in a folder; nothing where it cannot be read, as a disk that is not there, which is no reason not to start. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Size in bytes; null when there is no such file. */
export function sizeOf(file: string): number | null {
  return existsSync(file) ? statSync(file).size : null;
}

export function removeDatabase(file: string): void {
  for (const suffix of DATABASE_SUFFIXES) rmSync(file + suffix, { force: true });
}

/** Removes what is left of a copy, which must not hide why that failed: the next start clears away what a failing disk keeps. */
export function removeUnfinished(file: string): void {
  try {
    removeDatabase(file);
  } catch {
    // As said.
  }
}

/** A name beside `file` that says why it was set aside and when: `hub.sqlite.damaged-2026-11-21T18-30-00-000Z`. */
export function asideName(file: string, why: "damaged" | "replaced", now: number): string {
  const name = `${file}.${why}-${fileStamp(now)}`;
  const isTaken = (candidate: string): boolean => DATABASE_SUFFIXES.some((suffix) => existsSync(candidate + suffix));
  let free = name;
  for (let n = 2; isTaken(free); n += 1) free = `${name}-${n}`;
  return free;
}

/** A time as file names carry it on every system. */
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

/** While this file exists and the data file does not, the operator has to decide how to go on. It holds the sentence. */
export function decisionFile(file: string): string {
  return `${file}.needs-decision`;
}
