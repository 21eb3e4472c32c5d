import { DAY_MS, HOUR_MS } from "@comanda/protocol";
import { dayOf } from "@comanda/ui/zoned-time.ts";

const JUST_PASSED_MS = 2 * HOUR_MS;

/** The time that a day (`2026-11-26`) and an hour (`20:30`) name here, in ms; null while one of them is being typed. */
export function timeOfDay(day: string, time: string): number | null {
  const at = Date.parse(`${day}T${time}`);
  return Number.isNaN(at) ? null : at;
}

/** The time of the day here, as a time field has it. */
export function localTime(at: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeStyle: "short" }).format(at);
}

/** The next time (ms) at which it is that hour here; an hour that has just passed is still today's. */
export function nextTimeOf(time: string, now: number): number | null {
  const today = timeOfDay(dayOf(now), time);
  if (today === null || today > now - JUST_PASSED_MS) return today;
  return timeOfDay(dayOf(now + DAY_MS), time);
}
