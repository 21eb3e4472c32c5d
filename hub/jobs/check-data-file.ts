import { checkStepByStep, type CheckResult } from "../db/check.ts";
import { isCorrupt } from "../platform/errors.ts";
import { openReadOnly } from "./read-only.ts";

/** Checks a whole data file; yields how much of it was read, from 0 to 1. */
export function* checkDataFile(input: {
  file: string;
  /** Begin with SQLite's own check of the structure. */
  structure: boolean;
}): Generator<number | undefined, CheckResult> {
  try {
    const db = openReadOnly(input.file);
    try {
      return yield* checkStepByStep(db, input);
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { ok: false, isBroken: true, detail: error.message };
  }
}
