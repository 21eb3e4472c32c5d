import { isCorrupt, isDiskFailure } from "../../platform/error-facts.ts";

/**
 * Reads a figure from the data file, or returns the last one where the file is damaged or the disk fails: damage must not
 * silence the report about it, nor keep a terminal out because something cannot be counted.
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
