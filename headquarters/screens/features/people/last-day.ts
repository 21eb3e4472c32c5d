import { dayOf, zonedTime } from "@comanda/ui/zoned-time.ts";

/** The end of somebody's last day, by this device's clock unless a zone is named. */
export function endOfDay(day: string, timeZone?: string): string {
  return new Date(zonedTime(`${day}T23:59:59`, timeZone)).toISOString();
}

/** The last day of somebody whose time ends then, by the same clock: in UTC that end is on the next day. */
export function lastDayOf(expiresAt: string, timeZone?: string): string {
  return dayOf(Date.parse(expiresAt), timeZone);
}
