import type { KitchenTicket, TicketLineState } from "@comanda/protocol";
import { activeQuantity, shareState } from "@comanda/rules";

/** The kitchen's progress with the sent part of a line. */
export interface LineProgress {
  state: "sent" | "seen" | "started" | "ready" | "served";
  /** When the oldest unserved part was sent, ISO 8601; null when all is served. */
  since: string | null;
  /** The ready ticket lines to take to the table; empty where the kitchen does not mark serving. */
  ready: readonly { kitchenTicketId: string; lineId: string; heldBy: string; quantity: number }[];
}

const order = ["sent", "seen", "started", "ready", "served"] as const;

/** Returns the kitchen's progress by line of a check; a line on several tickets has the state of the slowest. */
export function progressOf(posReference: string, tickets: readonly KitchenTicket[]): Map<string, LineProgress> {
  const progress = new Map<string, LineProgress>();
  for (const ticket of tickets) {
    for (const ticketLine of ticket.lines) {
      const shares = ticketLine.shares.filter(
        (share) => share.posReference === posReference && share.takenBack !== true,
      );
      for (const share of shares) {
        const { lineId } = share;
        const quantity = activeQuantity(share);
        const state = stateOf(shareState(ticketLine, share));
        if (state === null) continue;
        const previous = progress.get(lineId);
        const since = state === "served" ? null : ticket.sentAt;
        const ready =
          state === "ready" && !ticket.isOver
            ? [{ kitchenTicketId: ticket.id, lineId: ticketLine.lineId, heldBy: posReference, quantity }]
            : [];
        progress.set(lineId, {
          state:
            previous !== undefined && order.indexOf(previous.state) < order.indexOf(state) ? previous.state : state,
          since: earlier(previous?.since ?? null, since),
          ready: [...(previous?.ready ?? []), ...ready],
        });
      }
    }
  }
  return progress;
}

function stateOf(state: TicketLineState): LineProgress["state"] | null {
  if (state === "cancelled") return null;
  return state === "unseen" ? "sent" : state;
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
