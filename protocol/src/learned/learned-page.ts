import { restaurantClock } from "../basics/restaurant-clock.ts";
import type { Learned, LearnedShare } from "./learned.ts";

/** Number of tiles on the learned page: as many as a phone shows without scrolling. */
export const LEARNED_TILES = 18;
/** With fewer tiles the page is not shown. */
const MIN_TILES = 6;
/** Weight of the person's own sales in the ranking; the rest is the restaurant's. */
const OWN_PART = 0.3;

/**
 * Returns the products of the learned page in order: what the restaurant sells at this hour, weighted with what this person
 * sells. Empty if there is too little history. `isSold` returns whether a product is on the menu.
 */
export function learnedPage(
  learned: Learned,
  { at, person, isSold }: { at: number; person: string | null; isSold: (productId: string) => boolean },
): string[] {
  const clock = restaurantClock(learned.timeZone);
  const [hour, days] = [clock.hour(at), clock.days(at)];
  const common = learned.hours.find((each) => each.hour === hour && each.days === days)?.products ?? [];
  const own = learned.people.find(({ name }) => name === person)?.products ?? [];
  const commonPart = own.length === 0 ? 1 : 1 - OWN_PART;
  const scores = new Map<string, number>();
  const add = (products: readonly LearnedShare[], part: number): void => {
    for (const { productId, share } of products) scores.set(productId, (scores.get(productId) ?? 0) + part * share);
  };
  add(common, commonPart);
  // A person's sales only adjust the restaurant's page; without one there is no page.
  if (common.length > 0) add(own, OWN_PART);
  const ranked = [...scores]
    .filter(([productId]) => isSold(productId))
    .toSorted(([id, score], [otherId, other]) => other - score || (id < otherId ? -1 : 1))
    .slice(0, LEARNED_TILES)
    .map(([productId]) => productId);
  return ranked.length < MIN_TILES ? [] : ranked;
}
