import type { KitchenTicket } from "@comanda/protocol";
import { isOnItsWay } from "@comanda/rules";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useMemo } from "react";
import { useLive, useTerminal } from "../../lib/pos.ts";

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
