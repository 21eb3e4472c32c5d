import type { KitchenTicket } from "@comanda/protocol";
import { isOnItsWay, placesOf, subtract } from "@comanda/rules";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useMemo } from "react";
import { useLive, useTerminal } from "../lib/connection/pos.ts";
import { countItems } from "./check-lines.ts";

/** The tickets in the kitchen's lists, and those that have left them while their dishes still stand at the pass. */
export function useReadyTickets(): readonly KitchenTicket[] {
  const terminal = useTerminal();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  // What has stood too long goes without an event.
  const minute = useTextAt(() => String(Math.floor(terminal.now() / 60_000)));
  return useMemo(
    () => [...tickets, ...recent.filter((ticket) => isOnItsWay(ticket, Number(minute) * 60_000))],
    [tickets, recent, minute],
  );
}

/** What of each line stands ready for a check and was not taken yet. */
export function readyDishes(tickets: readonly KitchenTicket[]) {
  return tickets.flatMap((ticket) =>
    ticket.lines.flatMap((line) =>
      placesOf(ticket, line)
        .filter(({ left, isServed, quantity, voided }) => left === 0 && !isServed && quantity > voided)
        .map(({ address, quantity, voided }) => ({
          id: [ticket.id, line.lineId, address.posReference].join(" "),
          address,
          count: countItems([subtract(quantity, voided)]),
        })),
    ),
  );
}

/** How many dishes of each check stand ready and were not taken yet. */
export function readyByCheck(tickets: readonly KitchenTicket[]): Map<string, number> {
  const ready = new Map<string, number>();
  for (const { address, count } of readyDishes(tickets)) {
    ready.set(address.posReference, (ready.get(address.posReference) ?? 0) + count);
  }
  return ready;
}
