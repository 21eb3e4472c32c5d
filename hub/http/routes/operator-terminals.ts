import { CloseCode, HUB_ORIGIN } from "@comanda/protocol";
import { HubError } from "../../errors.ts";
import type { OperatorRoom } from "../../operator/operator-room.ts";
import { AuthRefused } from "../../terminals/sign-in-terminal.ts";
import type { OperatorHandlers } from "../operator-api.ts";

type Names = "terminals" | "disconnectTerminal" | "forgetTerminal" | "leases" | "releaseLease";

/** Final for the terminal's library: whoever works there has to sign in by hand, and the device gets a new key. */
function forgotten(by: string): AuthRefused {
  return new AuthRefused("FORBIDDEN", CloseCode.forbidden, `${by} made the hub forget this terminal; sign in again`);
}

export function operatorTerminalRoutes(room: OperatorRoom): Pick<OperatorHandlers, Names> {
  const { changes, audit, leases, terminalList, terminals, terminalStore } = room;

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

    async forgetTerminal({ params: { terminalId }, manager }) {
      const connected = terminals.connected().find(({ active }) => active.terminalId === terminalId);
      await changes.write((tx) => {
        const wasKnown = terminalStore.forget(terminalId);
        if (!wasKnown && connected === undefined) throw new HubError("NOT_FOUND", `there is no terminal ${terminalId}`);
        audit.record(tx, manager.userName, "terminal.forget", terminalId);
        const feed = {
          kind: "terminal_forgotten",
          level: "warn",
          detail: { terminalId, userName: manager.userName },
        } as const;
        tx.emit({ kind: "notice", notice: { topics: ["terminals"], feed } });
      });
      if (connected !== undefined) terminals.dismiss(connected.session, forgotten(manager.userName));
      return { deleted: true };
    },

    leases: () => ({
      leases: leases.list().map((lease) => ({ ...lease, connected: terminalList.isConnected(lease.terminalId) })),
    }),

    async releaseLease({ params: { posReference }, manager }) {
      const by = { terminalId: HUB_ORIGIN, userName: manager.userName };
      const released = await leases.revoke(posReference, by, (tx) =>
        audit.record(tx, manager.userName, "lease.release", posReference),
      );
      if (!released) throw new HubError("NOT_FOUND", `nobody holds order ${posReference}`);
      return { released: true };
    },
  };
}
