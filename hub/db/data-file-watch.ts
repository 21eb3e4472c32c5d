import { existsSync, readFileSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import type { DataFileDoubt, DataFileDoubtKind } from "@comanda/protocol";
import { isoTime, type World } from "../platform/world.ts";
import { isCorrupt, isDiskFailure } from "../platform/errors.ts";
import { writePrivate } from "./private-files.ts";

export type DataFileWatch = ReturnType<typeof createDataFileWatch>;

/**
 * What is known to be wrong with the data file. Every doubt degrades `/health` (`data_file`) and is told on the screens.
 * All but a failing disk are also noted in a file beside the data file, so that the next start checks it in full.
 */
export function createDataFileWatch(file: string, world: World) {
  const doubts = new Map<DataFileDoubtKind, DataFileDoubt>();
  const listeners: ((doubt: DataFileDoubt) => void)[] = [];

  function add(kind: DataFileDoubtKind, detail: string): void {
    if (doubts.get(kind)?.detail === detail) return;
    const isNews = !doubts.has(kind);
    const doubt = { kind, detail, since: doubts.get(kind)?.since ?? isoTime(world.clock.now()) };
    doubts.set(kind, doubt);
    if (!isNews) return;
    world.log.error({ kind, detail }, "the data file is in doubt");
    for (const listener of listeners) listener(doubt);
  }

  function doubt(kind: Exclude<DataFileDoubtKind, "disk_failed">, detail: string): void {
    const isNews = !doubts.has(kind);
    add(kind, detail);
    if (isNews) markSuspect(file, `${kind}: ${detail}`);
  }

  return {
    /** Notes a doubt that stays until the file was checked in full at a start. */
    doubt,
    /** Hears of an error that a statement met elsewhere than on a connection that is followed. */
    hear(error: unknown): void {
      if (isCorrupt(error)) doubt("corrupt", error.message);
    },
    /** A row does not match its checksum, or cannot be read as what it is. */
    doubtRow: (what = "a stored record does not match its checksum"): void => doubt("damaged_records", what),
    /** After a failure of the disk a write has succeeded. */
    diskWorks(): void {
      if (doubts.delete("disk_failed")) world.log.info("the data file can be written again");
    },
    /** A check of the whole file has found nothing wrong. The next start makes sure of it in full all the same. */
    foundSound(): void {
      doubts.delete("corrupt");
      doubts.delete("damaged_records");
    },
    isDiskFailing: (): boolean => doubts.has("disk_failed"),
    isInDoubt: (): boolean => doubts.size > 0,
    doubts: (): DataFileDoubt[] => [...doubts.values()],
    onDoubt: (listener: (doubt: DataFileDoubt) => void): void => void listeners.push(listener),

    /** Makes every statement of a connection report damage and disk failures that SQLite meets in it, whoever runs it. */
    follow(db: Database.Database): void {
      const prepare = db.prepare.bind(db);
      const guard = <A extends unknown[], R>(run: (...args: A) => R): ((...args: A) => R) => {
        return (...args) => {
          try {
            return run(...args);
          } catch (error) {
            if (isCorrupt(error)) doubt("corrupt", error.message);
            else if (isDiskFailure(error)) add("disk_failed", error instanceof Error ? error.message : String(error));
            throw error;
          }
        };
      };
      db.prepare = ((sql: string) => {
        const statement = guard(prepare)(sql);
        statement.run = guard(statement.run.bind(statement));
        if (statement.reader) {
          statement.get = guard(statement.get.bind(statement));
          statement.all = guard(statement.all.bind(statement));
        }
        return statement;
      }) as typeof db.prepare;
    },
  };
}

/** Leaves word that the next start has to check the data file in full. */
export function markSuspect(file: string, why: string): void {
  try {
    writePrivate(suspectFile(file), `${why}\n`);
  } catch {
    // A disk that takes no file takes no mark; the doubt itself is told all the same.
  }
}

/** Why an earlier run doubted the data file; null when none did. */
export function readSuspicion(file: string): string | null {
  return existsSync(suspectFile(file)) ? readFileSync(suspectFile(file), "utf8").trim() : null;
}

export function clearSuspicion(file: string): void {
  rmSync(suspectFile(file), { force: true });
}

function suspectFile(file: string): string {
  return `${file}.suspect`;
}
