import { type RestaurantClock, restaurantClock } from "@comanda/protocol";

const clocks = new Map<string, RestaurantClock | null>();

/** Returns the clock of a time zone; null if there is no such zone. */
export function clockOfZone(timeZone: string): RestaurantClock | null {
  // Zone names ignore case: lower case keeps one entry per zone.
  const name = timeZone.toLowerCase();
  let clock = clocks.get(name);
  if (clock === undefined) {
    clock = createClock(timeZone);
    // Only real zones are cached: there are a few hundred, but any number of invalid names.
    if (clock !== null) clocks.set(name, clock);
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
