import { DAY_MS } from "./durations.ts";

import type { DaysOfWeek } from "../learned/learned.ts";
import { HOUR_MS, MINUTE_MS } from "./durations.ts";

/** The hour, by the restaurant's clock, at which one business day ends and the next begins. */
export const DAY_BEGINS_HOUR = 5;
/** Returns the hours between the start of a business day and an hour of the clock. The hours after midnight come last. */
export const hoursIntoDay = (hour: number): number => (hour + 24 - DAY_BEGINS_HOUR) % 24;
const WEEKEND = new Set(["Fri", "Sat", "Sun"]);

/**
 * The clock of a restaurant. For a time (ms since 1970) it returns the hour, 0 to 23, the instant at which that hour began, the
 * calendar date (`2026-11-22`), the business day and its kind. Without a time zone, it is this device's clock.
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
  /** Returns a time on the date of the business day, even if the clock was changed since midnight. */
  const atDate = (at: number): number => (hour(at) < DAY_BEGINS_HOUR ? at - 12 * HOUR_MS : at);
  return {
    hour,
    hourBegan: (at) => new Date((Math.floor(at / MINUTE_MS) - Number(minutes.format(at))) * MINUTE_MS).toISOString(),
    date: (at) => dates.format(at),
    day: (at) => dates.format(atDate(at)),
    days: (at) => (WEEKEND.has(weekdays.format(atDate(at))) ? "weekend" : "week"),
  };
}

/** Returns the date a number of days after another, or before it if negative, as YYYY-MM-DD. */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);
}
