import type { KitchenTicket, TicketLine } from "@comanda/protocol";

/** Prepared quantity by line. */
export type Prepared = ReadonlyMap<string, number>;

export function preparedOf(lines: readonly TicketLine[]): Prepared {
  return new Map(lines.map(({ lineId, preparedQuantity }) => [lineId, preparedQuantity]));
}

/** Reopens a ticket: nothing of it is prepared. */
export function nothingPrepared({ lines }: KitchenTicket): Prepared {
  return new Map(lines.filter(({ preparedQuantity }) => preparedQuantity > 0).map(({ lineId }) => [lineId, 0]));
}

/**
 * Returns the prepared quantities that reopen a finished ticket: those before this device's last act on it (`former`). If they
 * reopen nothing, because another device finished the ticket, all of it is reopened.
 */
export function broughtBack(ticket: KitchenTicket, former: Prepared | undefined): Prepared {
  const isWorkAgain = ticket.lines.some(
    ({ lineId, preparedQuantity }) => (former?.get(lineId) ?? preparedQuantity) < preparedQuantity,
  );
  return former !== undefined && isWorkAgain ? former : nothingPrepared(ticket);
}
