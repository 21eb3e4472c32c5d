import { isCorrupt, isDiskFailure } from "../../platform/error-facts.ts";

/**
 * Wraps a read of the data file: if the file is damaged or the disk fails, the last result (initially `first`) is returned.
 * A number that cannot be read must neither block the report of the damage nor keep a terminal from connecting.
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
