import type { KitchenTicket, OperatorTicket, Overview, TicketState } from "@comanda/protocol";
import { MAX_OVER } from "../../kitchen/ticket-lists.ts";
import type { Stores } from "../../stores/create-stores.ts";

export type KitchenTickets = ReturnType<typeof createKitchenTickets>;

/** The kitchen's tickets as the screens show them. */
export function createKitchenTickets({ tickets }: Pick<Stores, "tickets">) {
  let counted: { seq: number; counts: Overview["kitchen"] } | null = null;

  return {
    /** The open tickets, or the last that were finished; oldest first. */
    list: (state: "open" | "ready"): OperatorTicket[] =>
      (state === "open" ? tickets.listOpen() : tickets.listOver(MAX_OVER)).map(presentTicket).sort(bySentAt),
    /** Counts open tickets; cached until a ticket changes. */
    counts(): Overview["kitchen"] {
      const seq = tickets.newestSeq();
      if (counted?.seq !== seq) counted = { seq, counts: countTickets(tickets.listOpen()) };
      return counted.counts;
    },
  };
}

function countTickets(open: readonly KitchenTicket[]): Overview["kitchen"] {
  const unseen = open.filter((ticket) => stateOf(ticket) === "unseen");
  return {
    open: open.length,
    unseen: unseen.length,
    late: open.filter((ticket) => ticket.late === true).length,
    oldestAt: open[0]?.sentAt ?? null,
    unseenAt: unseen[0]?.sentAt ?? null,
  };
}

function presentTicket(ticket: KitchenTicket): OperatorTicket {
  const { id: ticketId, terminalId: _terminal, serving: _serving, expired: _expired, ...shown } = ticket;
  return {
    ...shown,
    ticketId,
    alsoFor: ticket.alsoFor ?? [],
    state: stateOf(ticket),
    priority: ticket.priority === true,
    late: ticket.late === true,
    queuedAt: ticket.queuedAt ?? null,
    lines: ticket.lines.map(({ shares, kitchenLineId: _line, isServed: _isServed, ...line }) => ({
      ...line,
      productId: line.productId === null ? null : String(line.productId),
      note: line.note ?? null,
      specialRequest: line.specialRequest ?? null,
      allergy: line.allergy ?? null,
      posReferences: [...new Set(shares.flatMap((share) => (share.takenBack === true ? [] : share.posReference)))],
    })),
  };
}

/** Returns the state of a ticket from its lines, ignoring cancelled ones. */
function stateOf({ lines }: KitchenTicket): TicketState {
  const states = new Set(lines.map(({ state }) => state));
  states.delete("cancelled");
  if (states.size === 0) return "cancelled";
  const isWaiting = states.has("unseen") || states.has("seen");
  const isStarted = states.has("started") || states.has("ready") || states.has("served");
  if (states.has("started") || (isWaiting && isStarted)) return "started";
  if (isWaiting) return states.has("unseen") ? "unseen" : "seen";
  return states.has("ready") ? "ready" : "served";
}

function bySentAt(a: OperatorTicket, b: OperatorTicket): number {
  return a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : 0;
}
