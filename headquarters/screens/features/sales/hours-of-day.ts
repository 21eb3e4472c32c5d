import { HOUR_MS } from "@comanda/protocol";

/** What was sold in each hour of the clock, over all days, from the first that had any to the last; in the order of an evening. */
export function hoursOfDay(
  hours: readonly { hour: string; checks: number; paid: number }[],
  nameOf: (hour: string) => string,
): { hour: string; checks: number; paid: number }[] {
  /** By the hours since the day began for most: after midnight belongs to the evening before. */
  const BEGINS = 9;
  const found = new Map<number, { hour: string; checks: number; paid: number }>();
  for (const { hour, checks, paid } of hours) {
    // All of one zone stand at the same place; which one it is does not matter, as long as the order is that of a day.
    const place = (Math.round(Date.parse(hour) / HOUR_MS) + 24 - BEGINS) % 24;
    const known = found.get(place) ?? { hour: nameOf(hour), checks: 0, paid: 0 };
    found.set(place, { ...known, checks: known.checks + checks, paid: Math.round((known.paid + paid) * 100) / 100 });
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, sum]) => sum);
}
