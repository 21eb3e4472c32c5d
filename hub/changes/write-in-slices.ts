import type { Tx } from "./change.ts";
import type { ChangeLog } from "./change-log.ts";

/** The maximum number of rows per write of a long change, so that other writes get a turn. */
export const SLICE_ROWS = 500;

/**
 * Repeats `work`, each time in a separate write, until it changes fewer than `SLICE_ROWS` rows. `work` returns how many
 * rows it changed, at most `SLICE_ROWS`. Resolves with the total.
 */
export async function writeInSlices(changes: ChangeLog, work: (tx: Tx) => number): Promise<number> {
  let total = 0;
  for (let changed = SLICE_ROWS; changed === SLICE_ROWS; total += changed) changed = await changes.write(work);
  return total;
}
