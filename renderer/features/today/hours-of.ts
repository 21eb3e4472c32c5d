import { HOUR_MS, type SalesReport } from "@comanda/protocol";

type Hour = SalesReport["hours"][number];

/** More than a day long, the hours without sales are left out. */
const MOST_HOURS = 24;

/** The hours from the first sale to the last, those without sales in between as well. */
export function spanOf(hours: readonly Hour[]): Hour[] {
  const [first] = hours;
  if (first === undefined || !isOneDay(hours)) return [...hours];
  const begin = Date.parse(first.from);
  const known = new Map(hours.map((hour) => [Date.parse(hour.from), hour]));
  return Array.from({ length: countOf(hours) }, (_, index) => {
    const at = begin + index * HOUR_MS;
    const from = new Date(at).toISOString();
    return known.get(at) ?? { from, checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 };
  });
}

/** Whether each hour of the day comes once at most, so that its name is enough. */
export function isOneDay(hours: readonly Hour[]): boolean {
  return countOf(hours) <= MOST_HOURS;
}

/** How many hours there are from the first to the last. */
function countOf(hours: readonly Hour[]): number {
  const [first] = hours;
  const last = hours.at(-1);
  return first === undefined || last === undefined ? 0 : (Date.parse(last.from) - Date.parse(first.from)) / HOUR_MS + 1;
}
