import type { OperatorTerminal } from "@comanda/protocol";

const rank = { grace: 1, connected: 2, away: 3 } as const;

/** Compares terminals: the most unsent work first, then new devices, then by state and name. */
export function compareUrgency(a: OperatorTerminal, b: OperatorTerminal): number {
  const unsent = (b.outbox?.pending ?? 0) - (a.outbox?.pending ?? 0);
  return (
    unsent ||
    Number(b.isNew) - Number(a.isNew) ||
    rank[a.state] - rank[b.state] ||
    a.terminalId.localeCompare(b.terminalId)
  );
}

const TOLERANCE_MS = 5000;

/** Returns how far a terminal's clock is off, or null if that is unknown. */
export function clockDrift(
  offsetMs: number | null,
): { name: "clockGood" } | { name: "clockAhead" | "clockBehind"; ms: number } | null {
  if (offsetMs === null) return null;
  if (Math.abs(offsetMs) <= TOLERANCE_MS) return { name: "clockGood" };
  return { name: offsetMs > 0 ? "clockAhead" : "clockBehind", ms: Math.abs(offsetMs) };
}

/** Groups the names that people confuse: they differ only in case, in 0 and O, in 1, l and I, or in a mark. */
export function groupLookAlikes(terminalIds: readonly string[]): string[][] {
  const groups = Map.groupBy(terminalIds, (id) =>
    id.toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1").replaceAll(/[._]/g, "-"),
  );
  return [...groups.values()].filter((names) => names.length > 1).map((names) => names.toSorted());
}
