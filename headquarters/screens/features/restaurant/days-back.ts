import { addDays } from "@comanda/protocol";
import { dayOf, hourAfterDays } from "@comanda/ui/zoned-time.ts";

/** Returns the last days in a time zone, today first, with begin and end (ms since 1970). Some have 23 or 25 hours. */
export function daysBack(now: number, count: number, timeZone?: string) {
  const today = dayOf(now, timeZone);
  return Array.from({ length: count }, (_, daysAgo) => ({
    day: addDays(today, -daysAgo),
    begins: hourAfterDays(now, -daysAgo, 0, timeZone),
    ends: hourAfterDays(now, 1 - daysAgo, 0, timeZone),
  }));
}
