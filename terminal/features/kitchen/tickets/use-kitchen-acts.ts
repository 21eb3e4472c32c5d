import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { activeQuantity, remainingQuantity } from "@comanda/rules";
import type { Terminal } from "@comanda/terminal";
import { useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { hideNotice, showNotice } from "../../../lib/page/notices.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { attempt } from "../../../lib/page/show-refusal.ts";
import { undoAct } from "../../../lib/page/undo-act.ts";
import { broughtBack, nothingPrepared, preparedOf, type Prepared } from "./prepared.ts";

/** Prepared quantities of a ticket before this device's last act on it. */
const before = new Map<string, Prepared>();

/** A ticket line that was served; `heldBy` limits it to the part of that check. */
interface ServedLine {
  ticket: KitchenTicket;
  line: TicketLine;
  heldBy?: string;
}

export type KitchenActs = ReturnType<typeof useKitchenActs>;

/** The acts of cooks and runners. Each is shown at once and can be undone for five seconds. */
export function useKitchenActs() {
  const { t, format } = useTranslation("kitchen");
  const terminal = useTerminal();
  return useMemo(() => {
    const done = (text: string, undo: () => void) => showNotice({ text, act: undoAct(() => void attempt(undo)) });
    const change = (ticket: KitchenTicket, next: Prepared, text: string) => {
      if (next.size === 0) return;
      const former = preparedOf(ticket.lines.filter(({ lineId }) => next.has(lineId)));
      if (attempt(() => setPrepared(terminal, ticket.id, next, former)) === null) return;
      before.set(ticket.id, former);
      done(text, () => setPrepared(terminal, ticket.id, former, next));
    };
    return {
      /** Sets the prepared quantity of a line, by default all of it. */
      bump(ticket: KitchenTicket, line: TicketLine, prepared = activeQuantity(line)) {
        const named = { quantity: format.quantity(prepared), name: line.name };
        const text = prepared >= line.preparedQuantity ? t("bumped", named) : t("workAgain", { name: line.name });
        change(ticket, new Map([[line.lineId, prepared]]), text);
      },
      bumpAll(ticket: KitchenTicket) {
        const open = ticket.lines.filter((line) => remainingQuantity(line) > 0);
        change(ticket, new Map(open.map((line) => [line.lineId, activeQuantity(line)])), t("allBumped"));
      },
      /** Marks a line as begun. */
      begin(ticket: KitchenTicket, { lineId, preparedQuantity }: TicketLine) {
        const about = { kitchenTicketId: ticket.id, shownQuantity: preparedQuantity };
        attempt(() => terminal.bump(about, lineId, preparedQuantity, "preparing"));
      },
      /** Restores the state before this device's last act on the ticket, or reopens all of it. */
      takeBack(ticket: KitchenTicket) {
        hideNotice();
        const { id } = ticket;
        // A finished ticket's slot has its last state before it was finished, so the current one is looked up.
        const present = [...terminal.tickets(), ...terminal.recentTickets()].find((each) => each.id === id) ?? ticket;
        const former = broughtBack(present, before.get(id));
        before.delete(id);
        attempt(() => setPrepared(terminal, id, former, preparedOf(present.lines)));
      },
      /** Reopens all of a ticket. */
      recall(ticket: KitchenTicket) {
        change(ticket, nothingPrepared(ticket), t("recalled"));
      },
      seen(ticket: KitchenTicket) {
        attempt(() => terminal.kitchenSeen(ticket.id, stationOf(ticket, terminal), ticket.lines));
      },
      /** Marks these dishes as served. */
      served(title: string, lines: readonly ServedLine[]) {
        const mark = (undo?: true) => {
          for (const [id, own] of Map.groupBy(lines, ({ ticket }) => ticket.id)) {
            const lineIds = own.map(({ line }) => line.lineId);
            terminal.served(id, { lineIds, onlyReady: true, heldBy: own[0]?.heldBy, undo });
          }
          return true;
        };
        if (attempt(mark) !== null) done(t("taken", { title }), () => mark(true));
      },
      /** Gives tickets priority, or takes it away. */
      prioritize(title: string, tickets: readonly KitchenTicket[], priority: boolean) {
        const set = (next: boolean) => {
          for (const { id } of tickets) terminal.prioritize(id, next);
          return true;
        };
        if (attempt(() => set(priority)) === null) return;
        if (priority) done(t("prioritized", { title }), () => set(false));
      },
    };
  }, [terminal, t, format]);
}

/** Returns the id under which the hub records where a ticket was seen: its station, or this device if it has none. */
export function stationOf(ticket: KitchenTicket, terminal: Terminal): string {
  return ticket.stationId ?? terminal.deviceId;
}

function setPrepared(terminal: Terminal, kitchenTicketId: string, prepared: Prepared, shown: Prepared): true {
  for (const [lineId, quantity] of prepared) {
    terminal.bump({ kitchenTicketId, shownQuantity: shown.get(lineId) }, lineId, quantity);
  }
  return true;
}
