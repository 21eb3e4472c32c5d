import { DAY_MS, HOUR_MS } from "@comanda/protocol";
import { dayOf, zonedTime } from "@comanda/ui/zoned-time.ts";

const JUST_PASSED_MS = 2 * HOUR_MS;

// All in the given time zone, or the device's by default.

/** Returns the time in ms of a day (`2026-11-26`) and an hour (`20:30`); null while one is incomplete. */
export function timeOfDay(day: string, time: string, timeZone?: string): number | null {
  const at = zonedTime(`${day}T${time}`, timeZone);
  return Number.isNaN(at) ? null : at;
}

/** Returns the time of day in the format of a time field. */
export function localTime(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeStyle: "short", timeZone }).format(at);
}

/** Returns the next time in ms of this hour; one that has just passed still counts as today's. */
export function nextTimeOf(time: string, now: number, timeZone?: string): number | null {
  const today = timeOfDay(dayOf(now, timeZone), time, timeZone);
  if (today === null || today > now - JUST_PASSED_MS) return today;
  return timeOfDay(dayOf(now + DAY_MS, timeZone), time, timeZone);
}
