import { restaurantClock } from "../basics/restaurant-clock.ts";
import type { Learned, LearnedShare } from "./learned.ts";

/** Tiles of the learned page: what a phone shows without scrolling. */
export const LEARNED_TILES = 18;
/** With fewer there is no page: it would say nothing. */
const FEWEST_TILES = 6;
/** How much of a place on the page is the person's own leaning; the rest is the restaurant's. */
const OWN_PART = 0.3;

/**
 * The products of the learned page, in their order: what the restaurant sells at this hour, leaning to what this person
 * sells. Empty where too little is known. `isSold`: it is on the menu.
 */
export function learnedPage(
  learned: Learned,
  { at, person, isSold }: { at: number; person: string | null; isSold: (productId: string) => boolean },
): string[] {
  const clock = restaurantClock(learned.timeZone);
  const [hour, days] = [clock.hour(at), clock.days(at)];
  const house = learned.hours.find((each) => each.hour === hour && each.days === days)?.products ?? [];
  const own = learned.people.find(({ name }) => name === person)?.products ?? [];
  const housePart = own.length === 0 ? 1 : 1 - OWN_PART;
  const scores = new Map<string, number>();
  const add = (products: readonly LearnedShare[], part: number): void => {
    for (const { productId, share } of products) scores.set(productId, (scores.get(productId) ?? 0) + part * share);
  };
  add(house, housePart);
  // What one person sells adds to the restaurant's page; alone it makes none.
  if (house.length > 0) add(own, OWN_PART);
  const ranked = [...scores]
    .filter(([productId]) => isSold(productId))
    .toSorted(([id, score], [otherId, other]) => other - score || (id < otherId ? -1 : 1))
    .slice(0, LEARNED_TILES)
    .map(([productId]) => productId);
  return ranked.length < FEWEST_TILES ? [] : ranked;
}
