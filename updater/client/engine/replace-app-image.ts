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
 * Replaces the running AppImage with a verified one: copies it beside the old one, checks it there and renames it. A power cut
 * or full disk leaves the old one intact. The path stays the same, so shortcuts keep working.
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

/** Returns a file's BLAKE2b-512 as hex. Synchronous, so that nothing runs between the check and the use of the file. */
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
