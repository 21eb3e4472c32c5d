import { addDays, DAY_BEGINS_HOUR } from "@comanda/protocol";

/**
 * When the clocks of a zone, this device's where none is given, show a time such as `2026-11-21T09:00`: ms since 1970, NaN
 * for what is no time.
 */
export function zonedTime(local: string, timeZone?: string): number {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return NaN;
  // Where the clocks change in between, the offset that counts is the one at that time itself.
  const near = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(near, timeZone);
}

/** The day (`2026-11-21`) that the clocks of a zone, this device's where none is given, show at a time (ms since 1970). */
export function dayOf(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(at);
}

/** An hour of the day that comes so many days after the one of `at`, by the clocks of a zone. */
export function hourAfterDays(at: number, days: number, hour: number, timeZone?: string): number {
  return zonedTime(`${addDays(dayOf(at, timeZone), days)}T${String(hour).padStart(2, "0")}:00`, timeZone);
}

/** When the next business day begins after `at` (both ms since 1970), by the clocks of a zone. */
export function nextMorning(at: number, timeZone?: string): number {
  const thatMorning = hourAfterDays(at, 0, DAY_BEGINS_HOUR, timeZone);
  return thatMorning > at ? thatMorning : hourAfterDays(at, 1, DAY_BEGINS_HOUR, timeZone);
}

/** By how much the clocks of a zone are ahead of UTC, in ms. */
function offsetAt(at: number, timeZone: string | undefined): number {
  const second = at - (at % 1000);
  return Date.parse(`${wallTime(second, timeZone).replace(" ", "T")}Z`) - second;
}

/** 2026-11-21 09:00:00, as the clocks of a zone, this device's where none is given, show a time (ms since 1970). */
export function wallTime(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }).format(at);
}
