import { verifyStepByStep, type Verdict } from "../db/backup.ts";

/** Whether a backup can be relied on; yields how much of it was read, from 0 to 1. */
export function verifyBackup({ file }: { file: string }): Generator<number | undefined, Verdict> {
  return verifyStepByStep(file);
}
