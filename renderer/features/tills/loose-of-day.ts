import { type LoosePayment, restaurantClock } from "@comanda/protocol";

/** Returns the payments of a business day. Like shifts and tips, payments after midnight belong to the evening before. */
export function looseOfDay(
  payments: readonly LoosePayment[],
  { day, timeZone }: { day: string; timeZone: string },
): LoosePayment[] {
  const clock = restaurantClock(timeZone);
  return payments.filter(({ at }) => clock.day(Date.parse(at)) === day);
}
