import { type UnassignedPayment, restaurantClock } from "@comanda/protocol";

/** Returns the payments of a business day. Like shifts and tips, payments after midnight belong to the evening before. */
export function unassignedOfDay(
  payments: readonly UnassignedPayment[],
  { day, timeZone }: { day: string; timeZone: string },
): UnassignedPayment[] {
  const clock = restaurantClock(timeZone);
  return payments.filter(({ at }) => clock.day(Date.parse(at)) === day);
}
