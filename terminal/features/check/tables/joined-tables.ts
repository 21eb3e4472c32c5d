import { tablesOf } from "@comanda/rules";

/** Returns the tables joined with the main table of a check: its current ones, as changed by the taps here. */
export function joinedTables(check: Parameters<typeof tablesOf>[0], taps: ReadonlyMap<number, boolean>): number[] {
  const [main, ...joined] = tablesOf(check);
  const candidates = [...new Set([...joined, ...taps.keys()])];
  return candidates.filter((id) => id !== main && (taps.get(id) ?? joined.includes(id)));
}
