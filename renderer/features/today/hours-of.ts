import { HOUR_MS, type SalesReport } from "@comanda/protocol";

type Hour = SalesReport["hours"][number];

/** More than a day long, the hours without sales are left out. */
const MOST_HOURS = 24;

/** The hours from the first sale to the last, those without sales in between as well. */
export function spanOf(hours: readonly Hour[]): Hour[] {
  const [first] = hours;
  const last = hours.at(-1);
  if (first === undefined || last === undefined) return [];
  const [begin, end] = [Date.parse(first.from), Date.parse(last.from)];
  const count = (end - begin) / HOUR_MS + 1;
  if (count > MOST_HOURS) return [...hours];
  const known = new Map(hours.map((hour) => [Date.parse(hour.from), hour]));
  return Array.from({ length: count }, (_, index) => {
    const at = begin + index * HOUR_MS;
    const from = new Date(at).toISOString();
    return known.get(at) ?? { from, checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 };
  });
}
