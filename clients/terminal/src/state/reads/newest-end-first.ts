import type { KitchenTicket } from "@comanda/protocol";

/** Sorts the last finished ticket first, by times in the tickets, so that every device shows the same order. */
export function newestEndFirst(one: KitchenTicket, other: KitchenTicket): number {
  const [end, otherEnd] = [endOf(one), endOf(other)];
  return end < otherEnd ? 1 : end > otherEnd ? -1 : one.id < other.id ? 1 : -1;
}

function endOf({ readyAt, sentAt }: KitchenTicket): string {
  return readyAt ?? sentAt;
}
