import type { LossStore } from "./loss-store.ts";

/** Limits of open offers, so that managers can review them and the data file stays small. */
const OPEN_PER_SOURCE = 500;
export const OPEN_IN_ALL = 1_000;
export const MAX_BYTES = 32 * 1024 * 1024;

export interface Room {
  /** Uses space for an order; returns false if there is not enough. */
  take(bytes: number, isNew: boolean): boolean;
}

/** Counts the space left for one message. Counting again for each order of the message would take too long. */
export function roomFor(losses: LossStore, source: string): Room {
  const offered = losses.offered("open");
  let remaining = Math.min(OPEN_IN_ALL - offered.count, OPEN_PER_SOURCE - losses.countOpenBySource(source));
  let remainingBytes = MAX_BYTES - offered.bytes;
  return {
    take(bytes, isNew) {
      if (bytes > remainingBytes || (isNew && remaining <= 0)) return false;
      remainingBytes -= bytes;
      if (isNew) remaining -= 1;
      return true;
    },
  };
}
