import { logEvent } from "../../platform/log-event.ts";
import { existsSync, readFileSync, rmSync } from "node:fs";
import type { DataFileDoubt, DataFileDoubtKind } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { isCorrupt, isDiskFailure, messageOf } from "../../platform/error-facts.ts";
import { isoTime, type World } from "../../platform/world.ts";
import { writePrivate } from "../files/private-files.ts";
import { prepareLate } from "../late-statement.ts";

export type DataFileWatch = ReturnType<typeof createDataFileWatch>;

/**
 * Collects the known problems of the data file. Each problem degrades `/health` (`data_file`) and is shown on the screens.
 * All except a failing disk are also noted in a file beside the data file, so that the next start runs a full check.
 */
export function createDataFileWatch(file: string, world: World) {
  const problems = new Map<DataFileDoubtKind, DataFileDoubt>();
  let isForgotten = false;
  const listeners: ((problem: DataFileDoubt) => void)[] = [];

  /** Returns whether the file had no problem of this kind before. */
  function add(kind: DataFileDoubtKind, detail: string): boolean {
    const previous = problems.get(kind);
    if (previous?.detail === detail) return false;
    const problem = { kind, detail, since: previous?.since ?? isoTime(world.clock.now()) };
    problems.set(kind, problem);
    if (previous !== undefined) return false;
    world.log.error(logEvent("data_file_problem", { kind, detail }), "the data file has a problem");
    for (const listener of listeners) listener(problem);
    return true;
  }

  function report(kind: Exclude<DataFileDoubtKind, "disk_failed">, detail: string): void {
    if (add(kind, detail)) markSuspect(file, `${kind}: ${detail}`);
  }

  return {
    /** Records a problem that stays until a start has checked the file in full. */
    report,
    /** Records an error of a statement on another connection if it indicates corruption. */
    reportError(error: unknown): void {
      if (isCorrupt(error)) report("corrupt", error.message);
    },
    /** Records a row that does not match its checksum or cannot be parsed. */
    reportDamagedRow: (description = "a stored record does not match its checksum"): void =>
      report("damaged_records", description),
    /** Records that damaged rows were deleted. No check can find them any more, so the problem stays until the hub restarts. */
    reportForgotten(description: string): void {
      isForgotten = true;
      report("damaged_records", description);
    },
    /** Clears a disk failure after a write has succeeded. */
    diskWorks(): void {
      if (problems.delete("disk_failed"))
        world.log.info(logEvent("data_file_writable"), "the data file can be written again");
    },
    /** Clears damage after a full check has found nothing wrong. The next start still runs a full check. */
    clearDamage(): void {
      problems.delete("corrupt");
      if (!isForgotten) problems.delete("damaged_records");
    },
    isDiskFailing: (): boolean => problems.has("disk_failed"),
    hasProblem: (): boolean => problems.size > 0,
    problems: (): DataFileDoubt[] => [...problems.values()],
    onProblem: (listener: (problem: DataFileDoubt) => void): void => void listeners.push(listener),

    /** Makes every statement of a connection report corruption and disk failures. */
    follow(db: Database.Database): void {
      prepareLate(db, (error) => {
        if (isCorrupt(error)) report("corrupt", error.message);
        else if (isDiskFailure(error)) add("disk_failed", messageOf(error));
      });
    },
  };
}

/** Notes beside the data file that the next start must check it in full. Never throws. */
export function markSuspect(file: string, reason: string): void {
  try {
    writePrivate(suspectFile(file), `${reason}\n`);
  } catch {
    // The disk may be full; the problem itself is reported anyway.
  }
}

/** Returns why an earlier run marked the data file as suspect; null if none did. */
export function readSuspicion(file: string): string | null {
  return existsSync(suspectFile(file)) ? readFileSync(suspectFile(file), "utf8").trim() : null;
}

export function clearSuspicion(file: string): void {
  rmSync(suspectFile(file), { force: true });
}

function suspectFile(file: string): string {
  return `${file}.suspect`;
}
