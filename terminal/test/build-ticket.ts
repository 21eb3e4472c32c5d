import type { KitchenTicket, TicketLine } from "@comanda/protocol";

/**
 * Builds a ticket for one Mofongo, sent at 20:00, with the given fields. A line without `shares` belongs to the ticket's check.
 */
export function buildTicket(id: string, fields: Partial<KitchenTicket> = {}): KitchenTicket {
  const ticket: KitchenTicket = {
    id,
    posReference: `check of ${id}`,
    stationId: "cocina",
    stationName: "Cocina",
    orderType: "dine_in",
    tableId: 61,
    checkNumber: null,
    ticketNumber: null,
    customerName: null,
    sentAt: "2026-11-21T20:00:00.000Z",
    sentBy: "Wendy Almonte",
    terminalId: "mesero",
    seen: [],
    serving: false,
    lines: [buildLine("Mofongo")],
    readyAt: null,
    isOver: false,
    ...fields,
  };
  const { posReference } = ticket;
  return { ...ticket, lines: ticket.lines.map((line) => (line.shares.length > 0 ? line : heldBy(line, posReference))) };
}

function heldBy(line: TicketLine, posReference: string): TicketLine {
  const { lineId, quantity, preparedQuantity, cancelledQuantity } = line;
  return { ...line, shares: [{ posReference, lineId, quantity, preparedQuantity, cancelledQuantity }] };
}

export function buildLine(name: string, fields: Partial<TicketLine> = {}): TicketLine {
  return {
    lineId: name,
    productId: name,
    name,
    quantity: 1,
    preparedQuantity: 0,
    cancelledQuantity: 0,
    state: "unseen",
    kitchenLineId: name,
    isSeen: false,
    isServed: false,
    shares: [],
    ...fields,
  };
}
