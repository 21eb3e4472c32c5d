import { DAY_MS } from "./durations.ts";

import type { DaysOfWeek } from "../learned/learned.ts";
import { HOUR_MS, MINUTE_MS } from "./durations.ts";

/** A business day begins, and the one before ends, at five in the morning by the restaurant's clock. */
export const DAY_BEGINS_HOUR = 5;
/** How many hours an hour of the clock is after the one in which a business day begins: those after midnight end it. */
export const hoursIntoDay = (hour: number): number => (hour + 24 - DAY_BEGINS_HOUR) % 24;
const WEEKEND = new Set(["Fri", "Sat", "Sun"]);

/**
 * The clock of a restaurant: the hour of a time (ms since 1970), 0 to 23, the instant at which that hour began, its date by the
 * calendar (`2026-11-22`), its business day and what kind of day that is. Without a zone it is the clock of this device.
 */
export interface RestaurantClock {
  hour(at: number): number;
  hourBegan(at: number): string;
  date(at: number): string;
  day(at: number): string;
  days(at: number): DaysOfWeek;
}

export function restaurantClock(timeZone?: string): RestaurantClock {
  const hours = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hourCycle: "h23" });
  const minutes = new Intl.DateTimeFormat("en-US", { timeZone, minute: "numeric" });
  const dates = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const weekdays = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" });
  const hour = (at: number): number => Number(hours.format(at));
  /** A time of the date that the business day has: by the clock, which may have been set since midnight. */
  const atDate = (at: number): number => (hour(at) < DAY_BEGINS_HOUR ? at - 12 * HOUR_MS : at);
  return {
    hour,
    hourBegan: (at) => new Date((Math.floor(at / MINUTE_MS) - Number(minutes.format(at))) * MINUTE_MS).toISOString(),
    date: (at) => dates.format(at),
    day: (at) => dates.format(atDate(at)),
    days: (at) => (WEEKEND.has(weekdays.format(atDate(at))) ? "weekend" : "week"),
  };
}

/** The date so many days after another one, or before it, YYYY-MM-DD. */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);
}
