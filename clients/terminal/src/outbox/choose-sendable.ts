import { ordersOf, type OutboxEntry } from "./outbox-entry.ts";

/** Why an entry is not to be sent now, though it is its turn. */
export type Hold = "writing" | "in flight" | "settling" | "in the tray" | "backing off" | "awaiting the hub's state";

/**
 * The entries that may go out now: the first of every order that nothing holds, at most `room` of them. An entry that
 * is held holds everything behind it that shares an order with it, and so does an entry that waits its turn.
 */
export function chooseSendable(
  entries: readonly OutboxEntry[],
  holdOf: (entry: OutboxEntry) => Hold | null,
  room: number,
): OutboxEntry[] {
  const taken = new Set<string>();
  const sendable: OutboxEntry[] = [];
  for (const entry of entries) {
    if (sendable.length >= room) break;
    const orders = ordersOf(entry.intent);
    if (!orders.some((order) => taken.has(order)) && holdOf(entry) === null) sendable.push(entry);
    for (const order of orders) taken.add(order);
  }
  return sendable;
}
