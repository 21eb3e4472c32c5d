import type { LossStore } from "./loss-store.ts";

/** What managers can look through, and what the data file can bear. */
const OPEN_PER_SOURCE = 500;
export const OPEN_IN_ALL = 1_000;
export const BYTES_IN_ALL = 32 * 1024 * 1024;

export interface Room {
  /** False where there is none. */
  take(bytes: number, isNew: boolean): boolean;
}

/** What is left of the list for one message: counting it again for each order would let one message take long. */
export function roomFor(losses: LossStore, source: string): Room {
  const held = losses.offered("open");
  let left = Math.min(OPEN_IN_ALL - held.count, OPEN_PER_SOURCE - losses.countOpenFrom(source));
  let bytesLeft = BYTES_IN_ALL - held.bytes;
  return {
    take(bytes, isNew) {
      if (bytes > bytesLeft || (isNew && left <= 0)) return false;
      bytesLeft -= bytes;
      if (isNew) left -= 1;
      return true;
    },
  };
}
