import { dayOf, zonedTime } from "@comanda/ui/zoned-time.ts";

/** Returns the end of a day, in this device's time zone unless one is given. */
export function endOfDay(day: string, timeZone?: string): string {
  return new Date(zonedTime(`${day}T23:59:59`, timeZone)).toISOString();
}

/** Returns the day on which access expires, in the same time zone: in UTC its end may be on the next day. */
export function lastDayOf(expiresAt: string, timeZone?: string): string {
  return dayOf(Date.parse(expiresAt), timeZone);
}
