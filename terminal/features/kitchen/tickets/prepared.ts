import type { KitchenTicket, TicketLine } from "@comanda/protocol";

/** How much is prepared of lines, by line. */
export type Prepared = ReadonlyMap<string, number>;

export function preparedOf(lines: readonly TicketLine[]): Prepared {
  return new Map(lines.map(({ lineId, preparedQuantity }) => [lineId, preparedQuantity]));
}

/** All of a ticket is work again. */
export function nothingOf({ lines }: KitchenTicket): Prepared {
  return new Map(lines.filter(({ preparedQuantity }) => preparedQuantity > 0).map(({ lineId }) => [lineId, 0]));
}

/**
 * What brings a finished ticket back: what was prepared of it before this device's last act on it (`former`). Where others
 * finished it, that makes nothing work again: then all of it is.
 */
export function broughtBack(ticket: KitchenTicket, former: Prepared | undefined): Prepared {
  const isWorkAgain = ticket.lines.some(
    ({ lineId, preparedQuantity }) => (former?.get(lineId) ?? preparedQuantity) < preparedQuantity,
  );
  return former !== undefined && isWorkAgain ? former : nothingOf(ticket);
}
