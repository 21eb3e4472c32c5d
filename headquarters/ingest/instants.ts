import { type RestaurantClock, restaurantClock } from "@comanda/protocol";

const known = new Map<string, RestaurantClock | null>();

/** Null for what is no time zone. */
export function clockOfZone(timeZone: string): RestaurantClock | null {
  // A zone has one name, in any case: what hubs send fills no more than the list.
  const name = timeZone.toLowerCase();
  let clock = known.get(name);
  if (clock === undefined) {
    clock = createClock(timeZone);
    // There are a few hundred zones; what is none is not remembered.
    if (clock !== null) known.set(name, clock);
  }
  return clock;
}

function createClock(timeZone: string): RestaurantClock | null {
  try {
    return restaurantClock(timeZone);
  } catch {
    return null;
  }
}
