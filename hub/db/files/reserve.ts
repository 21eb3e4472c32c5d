import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { randomFillSync } from "node:crypto";
import { freeBytes } from "./disk-space.ts";
import { writePrivate } from "./private-files.ts";

/** What a start needs on a full disk: the index of the log, and the log of its first few writes. */
const RESERVE_BYTES = 2 * 1024 * 1024;
/** On a disk with less the reserve would be what fills it. */
const WORTH_BYTES = 32 * RESERVE_BYTES;

/** Keeps some space beside the data file for a start on a full disk; random bytes, which no disk stores as nothing. */
export function keepReserve(dataFile: string): void {
  const reserve = reserveOf(dataFile);
  if (existsSync(reserve) || freeBytes(path.dirname(dataFile)) < WORTH_BYTES) return;
  try {
    writePrivate(reserve, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)));
  } catch {
    rmSync(reserve, { force: true });
  }
}

/** Gives the reserve to the disk; false where there is none, or it cannot be. The next start with space to spare keeps another. */
export function useReserve(dataFile: string): boolean {
  const reserve = reserveOf(dataFile);
  try {
    rmSync(reserve);
    return true;
  } catch {
    return false;
  }
}

function reserveOf(dataFile: string): string {
  return `${dataFile}.reserve`;
}
