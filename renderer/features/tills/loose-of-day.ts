import { type LoosePayment, restaurantClock } from "@comanda/protocol";

/** What was taken on a business day: what came after midnight belongs to the evening, as its shifts and its tips do. */
export function looseOfDay(
  payments: readonly LoosePayment[],
  { day, timeZone }: { day: string; timeZone: string },
): LoosePayment[] {
  const clock = restaurantClock(timeZone);
  return payments.filter(({ at }) => clock.day(Date.parse(at)) === day);
}
