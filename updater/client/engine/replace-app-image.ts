import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { UpdateRefused } from "../update-refused.ts";

/**
 * Puts a verified AppImage in the place of the running one. It is copied beside it, checked there and renamed over it, so
 * that a power cut or full disk leaves the old one whole. Shortcuts keep working: the path stays the same.
 */
export function replaceAppImage(verified: { file: string; digest: string }, runningFile: string): string {
  const target = realpathSync(runningFile);
  const beside = path.join(path.dirname(target), `.${path.basename(target)}.new`);
  try {
    copyFileSync(verified.file, beside);
    chmodSync(beside, 0o755);
    flush(beside);
    if (digestFile(beside) !== verified.digest)
      throw new UpdateRefused("The downloaded file was changed after it was verified.");
    renameSync(beside, target);
    flush(path.dirname(target));
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  rmSync(verified.file, { force: true });
  return target;
}

/** BLAKE2b-512 of a file, hexadecimal. Synchronous, because nothing may come between it and the use of the file. */
export function digestFile(file: string): string {
  const hash = createHash("blake2b512");
  const handle = openSync(file, "r");
  try {
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let length = readSync(handle, chunk); length > 0; length = readSync(handle, chunk))
      hash.update(chunk.subarray(0, length));
  } finally {
    closeSync(handle);
  }
  return hash.digest("hex");
}

function flush(fileOrFolder: string): void {
  const handle = openSync(fileOrFolder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
