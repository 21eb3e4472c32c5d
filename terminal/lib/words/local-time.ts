import { DAY_MS, HOUR_MS } from "@comanda/protocol";
import { dayOf, zonedTime } from "@comanda/ui/zoned-time.ts";

const JUST_PASSED_MS = 2 * HOUR_MS;

// Each by the clocks of a zone, this device's where none is given.

/** The time that a day (`2026-11-26`) and an hour (`20:30`) name, in ms; null while one of them is being typed. */
export function timeOfDay(day: string, time: string, timeZone?: string): number | null {
  const at = zonedTime(`${day}T${time}`, timeZone);
  return Number.isNaN(at) ? null : at;
}

/** The time of the day, as a time field has it. */
export function localTime(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeStyle: "short", timeZone }).format(at);
}

/** The next time (ms) at which it is that hour; an hour that has just passed is still today's. */
export function nextTimeOf(time: string, now: number, timeZone?: string): number | null {
  const today = timeOfDay(dayOf(now, timeZone), time, timeZone);
  if (today === null || today > now - JUST_PASSED_MS) return today;
  return timeOfDay(dayOf(now + DAY_MS, timeZone), time, timeZone);
}
