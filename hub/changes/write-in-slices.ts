import type { Tx } from "./change.ts";
import type { ChangeLog } from "./change-log.ts";

/** The most rows that one write of many changes, so that other writes get their turn. */
export const SLICE_ROWS = 500;

/**
 * Repeats `work`, each time in a write of its own, until one changes fewer than `SLICE_ROWS` rows. `work` returns how
 * many it changed, at most `SLICE_ROWS`; resolves with the sum.
 */
export async function writeInSlices(changes: ChangeLog, work: (tx: Tx) => number): Promise<number> {
  let total = 0;
  for (let changed = SLICE_ROWS; changed === SLICE_ROWS; total += changed) changed = await changes.write(work);
  return total;
}
