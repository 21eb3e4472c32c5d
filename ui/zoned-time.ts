import { addDays, DAY_BEGINS_HOUR } from "@comanda/protocol";

/**
 * Converts a local time such as `2026-11-21T09:00` in a time zone, by default this device's, to ms since 1970. Returns NaN if
 * it is not a time.
 */
export function zonedTime(local: string, timeZone?: string): number {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return NaN;
  // If the clocks change in between, the offset at that time itself counts.
  const near = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(near, timeZone);
}

/** Returns the day (`2026-11-21`) at a time (ms since 1970) in a time zone, by default this device's. */
export function dayOf(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(at);
}

/** Returns an hour of the day that is `days` after the day of `at`, in a time zone. All times are ms since 1970. */
export function hourAfterDays(at: number, days: number, hour: number, timeZone?: string): number {
  return zonedTime(`${addDays(dayOf(at, timeZone), days)}T${String(hour).padStart(2, "0")}:00`, timeZone);
}

/** Returns when the next business day begins after `at` (both ms since 1970), in a time zone. */
export function nextMorning(at: number, timeZone?: string): number {
  const thatMorning = hourAfterDays(at, 0, DAY_BEGINS_HOUR, timeZone);
  return thatMorning > at ? thatMorning : hourAfterDays(at, 1, DAY_BEGINS_HOUR, timeZone);
}

/** Returns how far a time zone is ahead of UTC, in ms. */
function offsetAt(at: number, timeZone: string | undefined): number {
  const second = at - (at % 1000);
  return Date.parse(`${wallTime(second, timeZone).replace(" ", "T")}Z`) - second;
}

/** Formats a time (ms since 1970) as 2026-11-21 09:00:00 in a time zone, by default this device's. */
export function wallTime(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }).format(at);
}
