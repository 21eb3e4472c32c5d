import type { TerminalLine } from "@comanda/protocol";
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
  for (const { posReference, stored } of emptied) {
    // What was voided before the kitchen had it is nothing that anyone could look for.
    const toFind = stored.filter((line) => line.voided !== true || isWithKitchen(line));
    const found = toFind.map(({ id }) => {
      const parts = (byOrigin.get(id) ?? []).filter(({ line }) => (line.splitFrom ?? posReference) === posReference);
      return [...(byId.get(id) ?? []), ...parts].map((arrival) => arrival.posReference);
    });
    if (found.length > 0 && found.every((to) => to.length > 0)) merges.set(posReference, [...new Set(found.flat())]);
  }
  return merges;
}

/** The lines that a check gets with the write, or more of: a part that comes back joins the line it left. */
function arrivalsIn({ posReference, stored, requested }: CheckLines): { posReference: string; line: TerminalLine }[] {
  const before = new Map(stored.map(({ id, quantity }) => [id, quantity]));
  return requested
    .filter(({ id, quantity }) => quantity > (before.get(id) ?? -1))
    .map((line) => ({ posReference, line }));
}
