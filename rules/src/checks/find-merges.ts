import type { StoredLine, TerminalLine } from "@comanda/protocol";
import type { CheckLines } from "../kitchen/find-dishes.ts";
import { isWithKitchen } from "../kitchen/line-quantities.ts";

/** Returns the checks that a write empties by moving all their lines to its other checks, each with those checks. */
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
    // A line voided before it was sent need not arrive anywhere.
    const mayBeMissing = (line: StoredLine): boolean => line.voided === true && !isWithKitchen(line);
    const hasMoved = stored.every((line) => mayBeMissing(line) || arrivalsOf(line).length > 0);
    if (into.length > 0 && hasMoved) merges.set(posReference, [...new Set(into)]);
  }
  return merges;
}

interface Arrival {
  posReference: string;
  line: TerminalLine;
  /** The `kitchenLineId` of the stored line whose quantity grows. */
  dish: string | undefined;
}

/** Returns the lines that a write adds to a check or increases. A split part that comes back increases the line it left. */
function arrivalsIn({ posReference, stored, requested }: CheckLines): Arrival[] {
  const before = new Map(stored.map((line) => [line.id, line]));
  return requested
    .filter(({ id, quantity }) => quantity > (before.get(id)?.quantity ?? -1))
    .map((line) => ({ posReference, line, dish: before.get(line.id)?.kitchenLineId }));
}
