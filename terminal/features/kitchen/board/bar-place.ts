import type { KitchenTicket } from "@comanda/protocol";

/** Position of the bump bar. */
export interface BumpBar {
  ticketId: string | null;
  /** The selected line; null for the whole ticket. */
  lineId: string | null;
}

export const nowhere: BumpBar = { ticketId: null, lineId: null };

/** Returns the current position of the bar: nowhere once its ticket or line has left. */
export function currentBar(bar: BumpBar, tickets: readonly Pick<KitchenTicket, "id" | "lines">[]): BumpBar {
  const ticket = tickets.find(({ id }) => id === bar.ticketId);
  const isThere = bar.lineId === null || ticket?.lines.some(({ lineId }) => lineId === bar.lineId) === true;
  return ticket !== undefined && isThere ? bar : nowhere;
}
