import type { KitchenTicket } from "@comanda/protocol";

/** Those that were finished last first: by what the tickets say, so that every device has the same order. */
export function newestEndFirst(one: KitchenTicket, other: KitchenTicket): number {
  const [end, otherEnd] = [endOf(one), endOf(other)];
  return end < otherEnd ? 1 : end > otherEnd ? -1 : one.id < other.id ? 1 : -1;
}

function endOf({ readyAt, sentAt }: KitchenTicket): string {
  return readyAt ?? sentAt;
}
