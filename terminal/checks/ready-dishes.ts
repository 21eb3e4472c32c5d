import type { KitchenTicket } from "@comanda/protocol";
import { isOnItsWay, placesOf, subtract } from "@comanda/rules";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useMemo } from "react";
import { useLive, useTerminal } from "../lib/connection/pos.ts";
import { countItems } from "./check-lines.ts";

/** Returns the tickets in the kitchen's lists, and those no longer listed whose dishes are still at the pass. */
export function useReadyTickets(): readonly KitchenTicket[] {
  const terminal = useTerminal();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  // Old tickets leave the pass without an event, so this is computed again every minute.
  const minute = useTextAt(() => String(Math.floor(terminal.now() / 60_000)));
  return useMemo(() => ticketsAtPass(tickets, recent, Number(minute) * 60_000), [tickets, recent, minute]);
}

/** Returns the tickets with dishes at the pass; `recent` are those that have left the kitchen's lists. */
export function ticketsAtPass(tickets: readonly KitchenTicket[], recent: readonly KitchenTicket[], now: number) {
  return [...tickets, ...recent.filter((ticket) => isOnItsWay(ticket, now))];
}

/** Returns the dishes of each line that are ready and not yet served. */
export function readyDishes(tickets: readonly KitchenTicket[]) {
  return tickets.flatMap((ticket) =>
    ticket.lines.flatMap((line) =>
      placesOf(ticket, line)
        .filter(({ left, isServed, quantity, voided }) => left === 0 && !isServed && quantity > voided)
        .map(({ address: { posReference }, quantity, voided }) => ({
          line: `${ticket.id} ${line.lineId}`,
          posReference,
          quantity: subtract(quantity, voided),
        })),
    ),
  );
}

/** Returns the number of ready dishes not yet served, by check. */
export function readyByCheck(tickets: readonly KitchenTicket[]): Map<string, number> {
  const ready = new Map<string, number>();
  for (const { posReference, quantity } of readyDishes(tickets)) {
    ready.set(posReference, (ready.get(posReference) ?? 0) + countItems([quantity]));
  }
  return ready;
}
