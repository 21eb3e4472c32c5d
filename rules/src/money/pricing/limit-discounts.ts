import type { Adjustment, Snapshot, TerminalSnapshot } from "@comanda/protocol";
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

/** Returns the adjustments after a terminal's write. A write without lines keeps them unless it names new ones. */
export function requestedAdjustments(
  input: Pick<TerminalSnapshot, "adjustments" | "lines">,
  before: Pick<Snapshot, "adjustments"> | undefined,
): Adjustment[] | undefined {
  return input.adjustments ?? (input.lines === undefined ? before?.adjustments : undefined);
}

/**
 * Returns a function that fills in the `granted` that a terminal which does not know it leaves out of a limited discount. Each
 * adjustment of the stored checks counts once: first where it is sent back as it was granted, and first for its own check.
 */
export function keepGranted(checks: readonly CheckWrite[]) {
  const listed = (posReference: string, all: readonly Adjustment[] = []) =>
    all.map((adjustment) => ({ posReference, adjustment }));
  const stored = checks.flatMap(({ posReference, before }) => listed(posReference, before?.adjustments));
  const sent = checks.flatMap(({ posReference, snapshot, before }) =>
    listed(posReference, requestedAdjustments(snapshot, before)),
  );
  const found = new Map<Adjustment, number | undefined>();
  for (const isShown of [false, true]) {
    for (const isOwn of [true, false]) {
      for (const { posReference, adjustment } of sent) {
        if (found.has(adjustment)) continue;
        const at = stored.findIndex(
          (each) =>
            (each.posReference === posReference) === isOwn &&
            (isShown
              ? isSame({ ...each.adjustment, granted: undefined }, adjustment)
              : isSame(asGranted(each.adjustment), asGranted(adjustment))),
        );
        const [taken] = at < 0 ? [] : stored.splice(at, 1);
        if (taken !== undefined) found.set(adjustment, isShown ? taken.adjustment.granted : undefined);
      }
    }
  }
  return (adjustment: Adjustment): Adjustment => {
    const granted = found.get(adjustment);
    return granted === undefined ? adjustment : { ...adjustment, granted };
  };
}
