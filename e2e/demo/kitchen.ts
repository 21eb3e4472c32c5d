import type { KitchenTicket } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import type { Stage } from "./stage.ts";

export interface Station {
  id: string;
}

/** Runs one station's screen: shows every incoming ticket, even if its check changes, cooks it and bumps its lines. */
export function openStation(terminal: Terminal, station: Station, stage: Stage): void {
  const shown = new Set<string>();
  const cooking = new Set<string>();
  terminal.on("tickets", (ids) => {
    for (const id of ids) handle(terminal.ticket(id));
  });
  for (const ticket of terminal.tickets()) handle(ticket);

  function handle(ticket: KitchenTicket | undefined): void {
    if (ticket === undefined || ticket.stationId !== station.id) return;
    const cancelled = ticket.lines.reduce((sum, line) => sum + line.cancelledQuantity, 0);
    const announcement = `${ticket.id} ${cancelled}`;
    if (!shown.has(announcement)) {
      shown.add(announcement);
      terminal.kitchenSeen(ticket.id, station.id);
      const summary = cancelled > 0 ? `a cancellation of ${cancelled}` : `${ticket.lines.length} line(s)`;
      stage.log(station.id, `shows ${summary} for ${ticket.ticketNumber ?? ticket.posReference}`);
    }
    for (const { lineId } of ticket.lines) if (toCook(ticket.id, lineId) > 0) void cook(ticket.id, lineId);
  }

  /** Returns how much of a line is ordered and not ready yet. */
  function toCook(ticketId: string, lineId: string): number {
    const line = terminal.ticket(ticketId)?.lines.find((each) => each.lineId === lineId);
    return line === undefined ? 0 : line.quantity - line.cancelledQuantity - line.preparedQuantity;
  }

  async function cook(kitchenTicketId: string, lineId: string): Promise<void> {
    const dish = `${kitchenTicketId} ${lineId}`;
    if (cooking.has(dish)) return;
    cooking.add(dish);
    await stage.pause(2);
    const line = terminal.ticket(kitchenTicketId)?.lines.find((each) => each.lineId === lineId);
    if (line !== undefined && toCook(kitchenTicketId, lineId) > 0) {
      await terminal.bump({ kitchenTicketId }, lineId, line.quantity - line.cancelledQuantity, "ready").outcome;
    }
    cooking.delete(dish);
    handle(terminal.ticket(kitchenTicketId));
  }
}
