import { HUB_ORIGIN } from "@comanda/protocol";
import type { TerminalBook } from "../../../operator/terminals/terminal-list.ts";
import type { PracticeService } from "../../../practice/practice-service.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { TerminalServer } from "../../../terminals/terminal-server.ts";
import { HubError } from "../../../platform/errors.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import type { PlaceOfOrder } from "../../../operator/orders/place-of-order.ts";

interface Deps extends Pick<Stores, "changes" | "leases" | "audit" | "terminalStore"> {
  placeOfOrder: PlaceOfOrder;
  terminals: TerminalServer;
  /** Returns whether the terminal was known. */
  forgetTerminal(terminalId: string): boolean;
  terminalList: TerminalBook;
  practice: PracticeService;
}

export function operatorTerminalRoutes(deps: Deps) {
  const { changes, audit, leases, placeOfOrder, terminalList, terminalStore, terminals, forgetTerminal, practice } =
    deps;

  return {
    terminals: () => ({ terminals: terminalList.list() }),

    async disconnectTerminal({ params: { terminalId }, manager }) {
      if (!terminalList.isConnected(terminalId)) {
        throw new HubError("NOT_FOUND", `terminal ${terminalId} is not connected`);
      }
      await changes.write((tx) => audit.record(tx, manager.userName, "terminal.disconnect", terminalId));
      terminals.disconnect(terminalId);
      return { disconnected: true };
    },

    async confirmTerminal({ params: { terminalId }, manager }) {
      await changes.write((tx) => {
        if (!terminalStore.confirm(terminalId)) throw new HubError("NOT_FOUND", `there is no terminal ${terminalId}`);
        audit.record(tx, manager.userName, "terminal.confirm", terminalId);
        tx.notify(["terminals"]);
      });
      return { confirmed: true };
    },

    async forgetTerminal({ params: { terminalId }, manager }) {
      const isConnected = terminalList.isConnected(terminalId);
      await changes.write((tx) => {
        const isForgotten = forgetTerminal(terminalId);
        if (!isForgotten && !isConnected) throw new HubError("NOT_FOUND", `there is no terminal ${terminalId}`);
        audit.record(tx, manager.userName, "terminal.forget", terminalId);
        const detail = { terminalId, userName: manager.userName };
        tx.notify(["terminals"], { kind: "terminal_forgotten", level: "warn", detail });
      });
      terminals.endForgotten(terminalId, manager.userName);
      return { deleted: true };
    },

    practice: practice.status,
    beginPractice: practice.begin,
    resetPractice: practice.reset,
    endPractice: practice.end,

    leases: () => ({
      leases: leases.list().map((lease) => ({
        ...lease,
        connected: terminalList.isConnected(lease.terminalId),
        place: placeOfOrder(lease.posReference),
      })),
    }),

    async releaseLease({ params: { posReference }, manager }) {
      const by = { terminalId: HUB_ORIGIN, userName: manager.userName };
      const released = await leases.revoke(posReference, by, (tx) =>
        audit.record(tx, manager.userName, "lease.release", posReference),
      );
      if (!released) throw new HubError("NOT_FOUND", `there is no lease on order ${posReference}`);
      return { released: true };
    },
  } satisfies Partial<OperatorHandlers>;
}
