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

/** How many dishes of each check stand ready and were not taken yet. */
export function readyByCheck(tickets: readonly KitchenTicket[]): Map<string, number> {
  const ready = new Map<string, number>();
  for (const ticket of tickets) {
    for (const line of ticket.lines) {
      for (const { address, quantity, left, voided, isServed } of placesOf(ticket, line)) {
        if (left > 0 || isServed) continue;
        ready.set(
          address.posReference,
          (ready.get(address.posReference) ?? 0) + countItems([subtract(quantity, voided)]),
        );
      }
    }
  }
  return ready;
}
