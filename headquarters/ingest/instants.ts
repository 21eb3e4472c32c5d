import { restaurantClock } from "@comanda/protocol";

const MINUTE_MS = 60_000;
const FIRST = Date.UTC(2000, 0);
const LAST = Date.UTC(2200, 0);

/** When that was, ms since 1970; null for what is no time of a restaurant's life. Times without a zone are in UTC. */
export function instantOf(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const at = Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(" ", "T")}Z` : text);
  return at >= FIRST && at < LAST ? at : null;
}

/** A restaurant's business day (`2026-11-22`) and the instant at which an hour of its clock began. */
export interface RestaurantHours {
  day(at: number): string;
  hour(at: number): string;
}

const known = new Map<string, RestaurantHours | null>();

/** Null for what is no time zone. */
export function restaurantHours(timeZone: string): RestaurantHours | null {
  let hours = known.get(timeZone);
  if (hours === undefined) {
    hours = createHours(timeZone);
    // There are a few hundred zones; what is none is not remembered.
    if (hours !== null) known.set(timeZone, hours);
  }
  return hours;
}

function createHours(timeZone: string): RestaurantHours | null {
  try {
    const clock = restaurantClock(timeZone);
    const minutes = new Intl.DateTimeFormat("en-US", { timeZone, minute: "numeric" });
    return {
      day: (at) => clock.day(at),
      hour: (at) =>
        new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS - Number(minutes.format(at)) * MINUTE_MS).toISOString(),
    };
  } catch {
    return null;
  }
}
