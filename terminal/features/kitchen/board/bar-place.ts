import type { KitchenTicket } from "@comanda/protocol";

/** Where the bump bar stands. */
export interface BumpBar {
  ticketId: string | null;
  /** A line of it; null: the whole ticket. */
  lineId: string | null;
}

export const nowhere: BumpBar = { ticketId: null, lineId: null };

/** Where the bar stands by now: nowhere once its ticket, or the line of it, has left. */
export function barOn(bar: BumpBar, tickets: readonly Pick<KitchenTicket, "id" | "lines">[]): BumpBar {
  const ticket = tickets.find(({ id }) => id === bar.ticketId);
  const isThere = bar.lineId === null || ticket?.lines.some(({ lineId }) => lineId === bar.lineId) === true;
  return ticket !== undefined && isThere ? bar : nowhere;
}
