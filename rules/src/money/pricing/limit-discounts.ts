import type { Adjustment, Snapshot } from "@comanda/protocol";
import { subtract } from "../amounts.ts";
import { type LineToSum, sumOfLines } from "./sum-of-lines.ts";

/** Returns what an adjustment takes off or adds as it was granted, whatever the check cost since. */
export function grantedAmount({ amount, granted = amount }: Adjustment): number {
  return granted;
}

/** Returns an adjustment as it was granted. */
export function asGranted({ granted, ...adjustment }: Adjustment): Adjustment {
  return granted === undefined ? adjustment : { ...adjustment, amount: granted };
}

/**
 * Limits what adjustments take off to what the check costs without tips; the earlier ones apply first. A limited one remembers
 * in `granted` what it takes off once the check costs enough again.
 */
export function limitDiscounts<A extends readonly Adjustment[] | undefined>(
  lines: readonly LineToSum[],
  adjustments: A,
): A | Adjustment[] {
  if (adjustments === undefined || adjustments.every((each) => grantedAmount(each) >= 0)) return adjustments;
  const added = adjustments.filter((each) => each.kind !== "tip" && grantedAmount(each) > 0);
  let left = Math.max(0, sumOfLines(lines, added.map(asGranted)).total);
  return adjustments.map((each) => {
    const whole = asGranted(each);
    if (whole.amount >= 0) return whole;
    const off = Math.min(-whole.amount, left);
    left = subtract(left, off);
    return off === -whole.amount ? whole : { ...whole, amount: subtract(0, off), granted: whole.amount };
  });
}

/** Returns the limited adjustments of lines, and the totals that follow. */
export function addUp(
  lines: readonly LineToSum[],
  requested: readonly Adjustment[] | undefined,
): Pick<Snapshot, "totals" | "adjustments"> {
  const adjustments = limitDiscounts(lines, requested && [...requested]);
  return { totals: sumOfLines(lines, adjustments), ...(adjustments !== undefined && { adjustments }) };
}
