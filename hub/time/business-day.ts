import { addDays, DAY_MS, MINUTE_MS, restaurantClock } from "@comanda/protocol";

/** The business day (YYYY-MM-DD) of a time, ms since 1970: what is sold after midnight belongs to the evening. */
export function businessDay(at: number, timeZone: string): string {
  return restaurantClock(timeZone).day(at);
}

/** The business day that a date names: before five in the morning that of the calendar names the day that still runs. */
export function namedDay(date: string, now: number, timeZone: string): string {
  const clock = restaurantClock(timeZone);
  return date === clock.date(now) ? clock.day(now) : date;
}

/** When a business day begins and ends, ms since 1970. */
export function dayBounds(day: string, timeZone: string): { from: number; to: number } {
  return { from: startOf(day, timeZone), to: startOf(addDays(day, 1), timeZone) };
}

/** Where a zone has its hour twice on a day, or not at all, the first moment that is that day. */
function startOf(day: string, timeZone: string): number {
  const clock = restaurantClock(timeZone);
  const guess = Date.parse(`${day}T00:00:00Z`);
  let [before, after] = [guess - DAY_MS, guess + 2 * DAY_MS];
  while (after - before > MINUTE_MS) {
    const middle = Math.round((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
    if (clock.day(middle) < day) before = middle;
    else after = middle;
  }
  return after;
}
