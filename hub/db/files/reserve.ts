import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { randomFillSync } from "node:crypto";
import { freeBytes } from "./disk-space.ts";
import { writePrivate } from "./private-files.ts";

/** The space that a start on a full disk needs: the index of the write-ahead log, and the log of the first few writes. */
const RESERVE_BYTES = 2 * 1024 * 1024;
/** With less free space, the reserve itself could fill the disk. */
const MIN_FREE_BYTES = 32 * RESERVE_BYTES;

/** Reserves space beside the data file for a start on a full disk. Writes random bytes, which no disk compresses away. */
export function keepReserve(dataFile: string): void {
  const reserve = reserveOf(dataFile);
  if (existsSync(reserve) || freeBytes(path.dirname(dataFile)) < MIN_FREE_BYTES) return;
  try {
    writePrivate(reserve, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)));
  } catch {
    rmSync(reserve, { force: true });
  }
}

/** Deletes the reserve; returns false if there is none or it cannot be deleted. A start with enough space creates a new one. */
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
