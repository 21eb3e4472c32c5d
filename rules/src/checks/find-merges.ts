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
  const byDish = Map.groupBy(arrivals, ({ dish }) => dish);
  for (const { posReference, stored } of emptied) {
    const arrivalsOf = ({ id, kitchenLineId = "" }: StoredLine): Arrival[] => {
      const parts = byOrigin.get(id)?.filter(({ line }) => (line.splitFrom ?? posReference) === posReference);
      return [byId.get(id), parts, byDish.get(kitchenLineId)].flatMap((found = []) => found);
    };
    const into = stored.flatMap(arrivalsOf).map((arrival) => arrival.posReference);
    // What was voided before the kitchen had it is nothing that anyone could look for.
    const mayBeGone = (line: StoredLine): boolean => line.voided === true && !isWithKitchen(line);
    const hasLeft = stored.every((line) => mayBeGone(line) || arrivalsOf(line).length > 0);
    if (into.length > 0 && hasLeft) merges.set(posReference, [...new Set(into)]);
  }
  return merges;
}

interface Arrival {
  posReference: string;
  line: TerminalLine;
  /** That of the line that is to be more. */
  dish: string | undefined;
}

/** The lines that a check gets with the write, or more of: a part that comes back joins the line it left. */
function arrivalsIn({ posReference, stored, requested }: CheckLines): Arrival[] {
  const before = new Map(stored.map((line) => [line.id, line]));
  return requested
    .filter(({ id, quantity }) => quantity > (before.get(id)?.quantity ?? -1))
    .map((line) => ({ posReference, line, dish: before.get(line.id)?.kitchenLineId }));
}
