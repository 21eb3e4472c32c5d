import type { StoredLine, TerminalLine } from "@comanda/protocol";
import type { CheckLines } from "../kitchen/find-dishes.ts";
import { isWithKitchen } from "../kitchen/line-quantities.ts";

/** The checks of a write that it leaves without a line because all went to others of it, each with those others. */
export function findMerges(checks: readonly CheckLines[]): Map<string, string[]> {
  const emptied = checks.filter(({ stored, requested }) => stored.length > 0 && requested.length === 0);
  const merges = new Map<string, string[]>();
  if (emptied.length === 0) return merges;
  const arrivals = checks.flatMap(arrivalsIn);
  const byId = Map.groupBy(arrivals, ({ line }) => line.id);
  const byOrigin = Map.groupBy(arrivals, ({ line }) => line.splitOf);
  const byDish = Map.groupBy(arrivals, ({ joined }) => joined?.kitchenLineId);
  for (const { posReference, stored } of emptied) {
    const arrivalsOf = ({ id, kitchenLineId }: StoredLine): string[] => {
      const parts = (byOrigin.get(id) ?? []).filter(({ line }) => (line.splitFrom ?? posReference) === posReference);
      const whole = kitchenLineId === undefined ? [] : (byDish.get(kitchenLineId) ?? []);
      return [...(byId.get(id) ?? []), ...parts, ...whole].map((arrival) => arrival.posReference);
    };
    const lines = stored.map((line) => ({ line, to: arrivalsOf(line) }));
    const into = new Set(lines.flatMap(({ to }) => to));
    // What was voided before the kitchen had it is nothing that anyone could look for.
    const hasLeft = lines.every(({ line, to }) => to.length > 0 || (line.voided === true && !isWithKitchen(line)));
    if (into.size > 0 && hasLeft) merges.set(posReference, [...into]);
  }
  return merges;
}

interface Arrival {
  posReference: string;
  line: TerminalLine;
  /** The line that was there before and is to be more. */
  joined: StoredLine | undefined;
}

/** The lines that a check gets with the write, or more of: a part that comes back joins the line it left. */
function arrivalsIn({ posReference, stored, requested }: CheckLines): Arrival[] {
  const before = new Map(stored.map((line) => [line.id, line]));
  return requested
    .map((line): Arrival => ({ posReference, line, joined: before.get(line.id) }))
    .filter(({ line, joined }) => line.quantity > (joined?.quantity ?? -1));
}
