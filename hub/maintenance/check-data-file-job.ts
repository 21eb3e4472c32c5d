import { checkStepByStep, type CheckResult } from "../db/check.ts";
import { openReadOnly } from "../db/open-read-only.ts";
import { defineJob } from "../jobs/job.ts";
import { isCorrupt } from "../platform/errors.ts";

interface CheckInput {
  file: string;
  /** Begin with SQLite's own check of the structure. */
  structure: boolean;
}

/** Checks a whole data file; yields how much of it was read, from 0 to 1. */
export const checkDataFileJob = defineJob("checkDataFile", checkDataFile);

function* checkDataFile({ file, structure }: CheckInput): Generator<number | undefined, CheckResult> {
  try {
    const db = openReadOnly(file);
    try {
      return yield* checkStepByStep(db, { structure });
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { ok: false, isBroken: true, detail: error.message };
  }
}
