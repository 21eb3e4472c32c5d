import type { DaysOfWeek } from "../learned/learned.ts";
import { HOUR_MS, MINUTE_MS } from "./durations.ts";

/** A business day begins, and the one before ends, at five in the morning by the restaurant's clock. */
export const DAY_BEGINS_HOUR = 5;
const DAY_ENDS_MS = DAY_BEGINS_HOUR * HOUR_MS;
const WEEKEND = new Set(["Fri", "Sat", "Sun"]);

/**
 * The clock of a restaurant: the hour of a time (ms since 1970), 0 to 23, the instant at which that hour began, its date by the
 * calendar (`2026-11-22`), its business day and what kind of day that is.
 */
export interface RestaurantClock {
  hour(at: number): number;
  hourBegan(at: number): string;
  date(at: number): string;
  day(at: number): string;
  days(at: number): DaysOfWeek;
}

export function restaurantClock(timeZone: string): RestaurantClock {
  const hours = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hourCycle: "h23" });
  const minutes = new Intl.DateTimeFormat("en-US", { timeZone, minute: "numeric" });
  const dates = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const weekdays = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" });
  return {
    hour: (at) => Number(hours.format(at)),
    hourBegan: (at) => new Date((Math.floor(at / MINUTE_MS) - Number(minutes.format(at))) * MINUTE_MS).toISOString(),
    date: (at) => dates.format(at),
    day: (at) => dates.format(at - DAY_ENDS_MS),
    days: (at) => (WEEKEND.has(weekdays.format(at - DAY_ENDS_MS)) ? "weekend" : "week"),
  };
}
