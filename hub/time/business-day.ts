import { addDays, DAY_MS, MINUTE_MS, restaurantClock } from "@comanda/protocol";

/** Returns the business day (YYYY-MM-DD) of a time, ms since 1970. Sales after midnight belong to the evening before. */
export function businessDay(at: number, timeZone: string): string {
  return restaurantClock(timeZone).day(at);
}

/** Returns the business day that a date names. Before 5 a.m., today's date names the business day still running. */
export function namedDay(date: string, now: number, timeZone: string): string {
  const clock = restaurantClock(timeZone);
  return date === clock.date(now) ? clock.day(now) : date;
}

/** Returns the start and end of a business day, ms since 1970. */
export function dayBounds(day: string, timeZone: string): { from: number; to: number } {
  return { from: startOf(day, timeZone), to: startOf(addDays(day, 1), timeZone) };
}

/** Returns the first moment of a business day, also if the zone skips or repeats that hour. */
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
