import type { Adjustment, Snapshot } from "@comanda/protocol";
import { subtract, sum } from "../amounts.ts";
import { isSame } from "../../same.ts";
import type { CheckWrite } from "./line-origins.ts";
import { type LineToSum, sumOfLines } from "./sum-of-lines.ts";

/** Returns an adjustment as it was granted, whatever the check cost since. */
export function asGranted({ granted, ...adjustment }: Adjustment): Adjustment {
  return granted === undefined ? adjustment : { ...adjustment, amount: granted };
}

/**
 * Returns the totals of lines and adjustments. What adjustments take off is limited to what the check costs without tips; the
 * earlier ones apply first. A limited one remembers in `granted` what it takes off once the check costs enough again.
 */
export function addUp(
  lines: readonly LineToSum[],
  requested: readonly Adjustment[] | undefined,
): Pick<Snapshot, "totals" | "adjustments"> {
  const totals = sumOfLines(lines);
  if (requested === undefined) return { totals };
  const granted = requested.map(asGranted);
  const added = granted.map(({ kind, amount }) => (kind === "tip" ? 0 : Math.max(0, amount)));
  let left = Math.max(0, sum([totals.total, ...added]));
  const adjustments = granted.map((each) => {
    const off = Math.min(-each.amount, left);
    if (off < 0) return each;
    left = subtract(left, off);
    return off === -each.amount ? each : { ...each, amount: subtract(0, off), granted: each.amount };
  });
  const total = sum([totals.total, ...adjustments.map(({ amount }) => amount)]);
  return { totals: { ...totals, total }, adjustments };
}

/**
 * Returns a function that fills in the `granted` that a terminal which does not know it leaves out of a limited discount. Each
 * discount of the stored checks counts once, first for its own check.
 */
export function keepGranted(checks: readonly CheckWrite[]) {
  const limited = checks.flatMap(({ posReference, before }) =>
    (before?.adjustments ?? []).flatMap(({ granted, ...shown }) =>
      granted === undefined ? [] : [{ posReference, shown, granted }],
    ),
  );
  const found = new Map<Adjustment, number>();
  for (const isOwn of [true, false]) {
    for (const { posReference, snapshot } of checks) {
      for (const adjustment of snapshot.adjustments ?? []) {
        const at = limited.findIndex(
          (each) => (each.posReference === posReference) === isOwn && isSame(each.shown, adjustment),
        );
        const [taken] = at < 0 || found.has(adjustment) ? [] : limited.splice(at, 1);
        if (taken !== undefined) found.set(adjustment, taken.granted);
      }
    }
  }
  return (adjustment: Adjustment): Adjustment => {
    const granted = found.get(adjustment);
    return granted === undefined ? adjustment : { ...adjustment, granted };
  };
}
