import type { OperatorTicket } from "@comanda/protocol";
import type { Tone } from "../../components/layout/status-mark.tsx";

const UNSEEN_WARN_MS = 60_000;
const UNSEEN_BAD_MS = 3 * 60_000;
const SLOW_MS = 20 * 60_000;

type TonedTicket = Pick<OperatorTicket, "state" | "late" | "sentAt" | "isOver" | "lines" | "onPaper">;

/** Whether part of the ticket was cancelled and its station has not marked that as seen: it may still be cooking. */
export function hasUnseenCancel({ isOver, lines }: Pick<OperatorTicket, "isOver" | "lines">): boolean {
  return !isOver && lines.some((line) => line.cancelledQuantity > 0 && !line.isSeen);
}

/** Whether no station has shown the ticket, as the overview counts. A cancellation on a seen ticket appears on its card. */
export function isUnseen({ state, onPaper }: Pick<OperatorTicket, "state" | "onPaper">): boolean {
  return state === "unseen" && onPaper !== true;
}

/** Returns how urgent a ticket is. `bad`: unseen for long. `warn`: an unseen cancellation, late, unseen or slow. */
export function ticketTone(ticket: TonedTicket, now: number): Tone {
  // The kitchen works from paper and marks nothing.
  if (ticket.onPaper === true) return "idle";
  const age = now - Date.parse(ticket.sentAt);
  if (ticket.state === "unseen" && age > UNSEEN_BAD_MS) return "bad";
  if (hasUnseenCancel(ticket)) return "warn";
  if (ticket.state === "cancelled") return "idle";
  if (ticket.state === "ready" || ticket.state === "served") return "good";
  if (ticket.late || (ticket.state === "unseen" && age > UNSEEN_WARN_MS) || age > SLOW_MS) return "warn";
  return ticket.state === "unseen" ? "idle" : "accent";
}

const rank = { bad: 0, warn: 1, idle: 2, accent: 3, good: 4 } as const;

/** Returns a comparator: the most urgent first, then the oldest. */
export function compareUrgency(now: number) {
  return (a: OperatorTicket, b: OperatorTicket): number =>
    rank[ticketTone(a, now)] - rank[ticketTone(b, now)] || a.sentAt.localeCompare(b.sentAt);
}
