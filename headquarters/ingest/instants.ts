import { MINUTE_MS, restaurantClock } from "@comanda/protocol";

/** A restaurant's business day (`2026-11-22`) and the instant at which an hour of its clock began. */
export interface RestaurantHours {
  day(at: number): string;
  hour(at: number): string;
  /** What its clock reads: 0 to 23. */
  clockHour(at: number): number;
}

const known = new Map<string, RestaurantHours | null>();

/** Null for what is no time zone. */
export function restaurantHours(timeZone: string): RestaurantHours | null {
  // A zone has one name, in any case: what hubs send fills no more than the list.
  const name = timeZone.toLowerCase();
  let hours = known.get(name);
  if (hours === undefined) {
    hours = createHours(timeZone);
    // There are a few hundred zones; what is none is not remembered.
    if (hours !== null) known.set(name, hours);
  }
  return hours;
}

function createHours(timeZone: string): RestaurantHours | null {
  try {
    const clock = restaurantClock(timeZone);
    const minutes = new Intl.DateTimeFormat("en-US", { timeZone, minute: "numeric" });
    return {
      day: (at) => clock.day(at),
      clockHour: (at) => clock.hour(at),
      hour: (at) =>
        new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS - Number(minutes.format(at)) * MINUTE_MS).toISOString(),
    };
  } catch {
    return null;
  }
}
