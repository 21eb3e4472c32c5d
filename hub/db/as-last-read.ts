import { isCorrupt, isDiskFailure } from "../platform/errors.ts";

/**
 * Reads a figure from the data file, or answers what was read last where the file is damaged or the disk fails: a report
 * that tells of the damage must not be silenced by it, and nobody kept out because something cannot be counted.
 */
export function asLastRead<T>(read: () => T, first: T): () => T {
  let last = first;
  return () => {
    try {
      last = read();
    } catch (error) {
      if (!isCorrupt(error) && !isDiskFailure(error)) throw error;
    }
    return last;
  };
}
