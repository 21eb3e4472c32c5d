import { ordersOf, type OutboxEntry } from "./outbox-entry.ts";

/** Why a mutation is not sent now, although it is the first of its orders. */
export type Hold = "in flight" | "settling" | "refused" | "backing off" | "awaiting the hub's state";

/**
 * What may be sent now: the first mutation of every order that nothing holds, at most `most` of them. One that is held
 * holds everything behind it that shares an order with it, and so does one that waits its turn.
 */
export function chooseSendable<T extends { entry: OutboxEntry }>(
  slots: readonly T[],
  holdOn: (slot: T) => Hold | null,
  most: number,
): T[] {
  const taken = new Set<string>();
  const sendable: T[] = [];
  for (const slot of slots) {
    if (sendable.length >= most) break;
    const orders = ordersOf(slot.entry.intent);
    if (!orders.some((order) => taken.has(order)) && holdOn(slot) === null) sendable.push(slot);
    for (const order of orders) taken.add(order);
  }
  return sendable;
}
