import { listBackups, presentPath, type BackupFile } from "../db/backup-files.ts";
import { readChunks } from "../db/compressed-backup.ts";
import { verifyStepByStep, type Verdict } from "../db/verify-backup.ts";

/** The backups in a folder, newest content first. */
// oxlint-disable-next-line require-yield
export function* listBackupFiles({ dir }: { dir: string }): Generator<undefined, BackupFile[]> {
  return listBackups(dir);
}

/** Whether a backup can be relied on; yields how much of it was read, from 0 to 1. */
export function verifyBackup({ file }: { file: string }): Generator<number | undefined, Verdict> {
  return verifyStepByStep(file);
}

/** Yields the plain content of a compressed backup. */
export function* unpack({ file }: { file: string }): Generator<Uint8Array, void> {
  for (const { chunk } of readChunks(presentPath(file))) yield chunk;
}
