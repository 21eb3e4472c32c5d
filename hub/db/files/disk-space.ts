import { existsSync, statfsSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../../platform/error-facts.ts";
import { withFile } from "./files.ts";

/** Below this the disk counts as low. New files must leave this much free, so that the hub can keep working. */
export const LOW_DISK_BYTES = 256 * 1024 * 1024;

/** Thrown when a file cannot be started or finished because the disk has too little space. */
export class NoSpaceError extends Error {
  override readonly name = "NoSpaceError";
  readonly code = "NO_SPACE";
}

/** Returns the free bytes on the disk of a folder, which need not exist yet; Infinity if unknown. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(existingFolder(folder));
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Returns the free bytes for display; null if unknown. */
export function knownFreeBytes(folder: string): number | null {
  const free = freeBytes(folder);
  return Number.isFinite(free) ? free : null;
}

/** Whether a file of `bytes` fits into a folder and leaves LOW_DISK_BYTES free. */
export function hasSpace(folder: string, bytes: number): boolean {
  return freeBytes(folder) >= bytes + LOW_DISK_BYTES;
}

/** Throws a NoSpaceError if `hasSpace` is false. */
export function requireSpace(folder: string, bytes: number): void {
  if (!hasSpace(folder, bytes)) throw noSpace(folder, bytes + LOW_DISK_BYTES);
}

/** Throws a NoSpaceError once the disk is nearly full. Call this while writing a file. */
export function requireSomeSpace(folder: string): void {
  if (freeBytes(folder) < LOW_DISK_BYTES / 2) throw noSpace(folder, LOW_DISK_BYTES / 2);
}

function noSpace(folder: string, needed: number): NoSpaceError {
  return new NoSpaceError(`${folder} has ${sizeText(freeBytes(folder))} free, and ${sizeText(needed)} are needed`);
}

/** Formats a size, such as `256 MB` or `1.2 GB`. */
export function sizeText(bytes: number): string {
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  return megabytes < 1024 ? `${megabytes} MB` : `${Math.round(megabytes / 102.4) / 10} GB`;
}

/** Returns the folder, or its nearest existing ancestor. */
export function existingFolder(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : existingFolder(parent);
}

/** The reason in error messages that a file cannot be used or written. */
export const DISK_IS_FULL = "its disk is full; make room on it";

/** Whether a file is on a read-only disk. Opens the file for writing: the system can report a failed disk as writable. */
export function isReadOnly(file: string): boolean {
  try {
    withFile(file, "r+", () => {});
    return false;
  } catch (error) {
    return codeOf(error) === "EROFS";
  }
}
