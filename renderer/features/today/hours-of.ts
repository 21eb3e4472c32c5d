import { HOUR_MS, type SalesReport } from "@comanda/protocol";

type Hour = SalesReport["hours"][number];

/** Over a longer time, the hours without sales are left out. */
const MAX_HOURS = 24;

/** Returns the hours from the first sale to the last, on one day also those without sales in between. */
export function fillHours(hours: readonly Hour[]): Hour[] {
  const [first] = hours;
  if (first === undefined || !isOneDay(hours)) return [...hours];
  const begin = Date.parse(first.from);
  const byHour = new Map(hours.map((hour) => [Date.parse(hour.from), hour]));
  return Array.from({ length: countOf(hours) }, (_, index) => {
    const at = begin + index * HOUR_MS;
    const from = new Date(at).toISOString();
    return byHour.get(at) ?? { from, checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 };
  });
}

/** Whether each hour of the day occurs at most once, so that its name is enough. */
export function isOneDay(hours: readonly Hour[]): boolean {
  return countOf(hours) <= MAX_HOURS;
}

/** Returns the number of hours from the first to the last. */
function countOf(hours: readonly Hour[]): number {
  const [first] = hours;
  const last = hours.at(-1);
  return first === undefined || last === undefined ? 0 : (Date.parse(last.from) - Date.parse(first.from)) / HOUR_MS + 1;
}
