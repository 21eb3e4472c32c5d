import type { HubMessageOf, Since } from "@comanda/protocol";
import type { PosState } from "../../back-office/pos-state.ts";
import type { Broadcaster } from "../broadcasts/broadcaster.ts";
import { noSession, type TerminalDeps } from "../terminal-deps.ts";
import type { TerminalSession } from "../sessions/terminal-session.ts";
import { createSyncQueue } from "./sync-queue.ts";

export type SyncSender = ReturnType<typeof createSyncSender>;

/** Sends terminals the shared state: at sign-in, on request, and after they fell behind. */
export function createSyncSender(
  deps: Pick<TerminalDeps, "world" | "changes" | "sync" | "status" | "reportLossOf"> & {
    pos: Pick<PosState, "session" | "menuVersion">;
  },
  broadcaster: Broadcaster,
) {
  const { sync, world } = deps;
  const catchingUp = new Set<TerminalSession>();
  const { send, idle } = createSyncQueue(deps);

  /**
   * Sends the hub's status. Also sends the register and the menu if they differ from `lastSent`, the last values the terminal got:
   * announcements before its SYNC have not reached it. `lastSent` is absent if those values are unknown.
   */
  function sendUpdates(
    session: TerminalSession,
    lastSent?: Pick<HubMessageOf<"AUTH_OK">, "session" | "menuVersion">,
  ): void {
    broadcaster.answer(session, deps.status());
    const register = deps.pos.session() ?? noSession;
    if (JSON.stringify(register) !== JSON.stringify(lastSent?.session))
      broadcaster.answer(session, { type: "SESSION_CHANGED", session: register });
    const menuVersion = deps.pos.menuVersion();
    if (menuVersion !== null && menuVersion !== lastSent?.menuVersion)
      broadcaster.answer(session, { type: "MENU_CHANGED", menuVersion });
  }

  return {
    send,
    sendUpdates,

    /** Answers a RESYNC. If the terminal's send buffer is full, its SYNC is deferred until the buffer has drained. */
    async resync(session: TerminalSession, since: Since | undefined, requestId?: string): Promise<void> {
      await deps.reportLossOf(since);
      if (session.state.kind === "active" && session.isFull()) {
        session.state.active.isBehind = true;
        session.state.active.resync = { since, requestId };
        return;
      }
      if (await send(session, since, requestId)) sendUpdates(session);
    },

    /** Sends a SYNC to a terminal that fell behind and has drained. */
    catchUp(session: TerminalSession): void {
      if (session.state.kind !== "active" || catchingUp.has(session)) return;
      const { active } = session.state;
      const { since, requestId } = active.resync ?? { since: { ...sync.identity(), seq: active.seq } };
      active.resync = null;
      catchingUp.add(session);
      send(session, since, requestId)
        .then(() => sendUpdates(session))
        .catch((error: unknown) => {
          world.log.error({ err: error }, "a terminal that fell behind could not be brought up to date");
          session.socket.terminate();
        })
        .finally(() => catchingUp.delete(session));
    },

    idle,
  };
}
