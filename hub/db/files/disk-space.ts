import { existsSync, statfsSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../../platform/error-facts.ts";
import { withFile } from "./files.ts";

/** With less the disk counts as low; so much stays free beside a file that is made, so that the service can go on. */
export const LOW_DISK_BYTES = 256 * 1024 * 1024;

/** A file was not begun, or not finished, because the disk has no space for it. */
export class NoSpaceError extends Error {
  override readonly name = "NoSpaceError";
  readonly code = "NO_SPACE";
}

/** Free bytes on the disk of a folder that may not exist yet; Infinity where the system does not say. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(existingFolder(folder));
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** The same for people: null where the system does not say. */
export function knownFreeBytes(folder: string): number | null {
  const free = freeBytes(folder);
  return Number.isFinite(free) ? free : null;
}

/** Whether a file of so many bytes fits into a folder with a margin to spare. */
export function hasSpace(folder: string, bytes: number): boolean {
  return freeBytes(folder) >= bytes + LOW_DISK_BYTES;
}

/** Throws a NoSpaceError where a file of so many bytes does not fit. */
export function requireSpace(folder: string, bytes: number): void {
  if (!hasSpace(folder, bytes)) throw noSpace(folder, bytes + LOW_DISK_BYTES);
}

/** To be called while a file is written: throws a NoSpaceError when the disk has been filled meanwhile. */
export function requireSomeSpace(folder: string): void {
  if (freeBytes(folder) < LOW_DISK_BYTES / 2) throw noSpace(folder, LOW_DISK_BYTES / 2);
}

function noSpace(folder: string, needed: number): NoSpaceError {
  return new NoSpaceError(`${folder} has ${sizeText(freeBytes(folder))} free, and ${sizeText(needed)} are needed`);
}

/** 256 MB, 1.2 GB */
export function sizeText(bytes: number): string {
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  return megabytes < 1024 ? `${megabytes} MB` : `${Math.round(megabytes / 102.4) / 10} GB`;
}

/** The folder itself, or the nearest above it that is there. */
export function existingFolder(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : existingFolder(parent);
}

/** Why a file cannot be used or written, said after its name. */
export const ITS_DISK_IS_FULL = "its disk is full; make room on it";

/** Whether the disk that a file is on takes no write at all: tried, for of one that has failed the system says that it does. */
export function isReadOnly(file: string): boolean {
  try {
    withFile(file, "r+", () => {});
    return false;
  } catch (error) {
    return codeOf(error) === "EROFS";
  }
}
