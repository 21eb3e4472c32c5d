import { tablesOf } from "@comanda/rules";

/** The tables that are joined with the one of a check: as it has them by now, but for what was tapped here. */
export function joinedTables(check: Parameters<typeof tablesOf>[0], taps: ReadonlyMap<number, boolean>): number[] {
  const [main, ...joined] = tablesOf(check);
  const known = [...new Set([...joined, ...taps.keys()])];
  return known.filter((id) => id !== main && (taps.get(id) ?? joined.includes(id)));
}
