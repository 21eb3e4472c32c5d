import type { Since } from "@comanda/protocol";
import type { Broadcaster } from "../broadcasts/broadcaster.ts";
import { noSession, type TerminalDeps } from "../terminal-deps.ts";
import type { TerminalSession } from "../sessions/terminal-session.ts";
import { createSyncQueue } from "./sync-queue.ts";

export type SyncSender = ReturnType<typeof createSyncSender>;

/** Sends terminals the shared state: at sign-in, when they ask for it, and when they fell behind. */
export function createSyncSender(
  deps: Pick<TerminalDeps, "world" | "changes" | "pos" | "sync" | "status" | "noteLossSeenBy">,
  broadcaster: Broadcaster,
) {
  const { sync, world } = deps;
  const catchingUp = new Set<TerminalSession>();
  const { send, idle } = createSyncQueue(deps);

  return {
    send,

    /** Answers a RESYNC; a terminal that has not yet read what it was sent gets its SYNC when it has. */
    async resync(session: TerminalSession, since: Since | undefined, requestId?: string): Promise<void> {
      await deps.noteLossSeenBy(since);
      if (session.state.kind === "active" && session.isFull()) {
        session.state.active.isBehind = true;
        session.state.active.resync = { since, requestId };
        return;
      }
      await send(session, since, requestId);
    },

    /** Brings a terminal up to date that fell behind and has drained. */
    catchUp(session: TerminalSession): void {
      if (session.state.kind !== "active" || catchingUp.has(session)) return;
      const { active } = session.state;
      const { since, requestId } = active.resync ?? { since: { ...sync.identity(), seq: active.seq } };
      active.resync = null;
      catchingUp.add(session);
      send(session, since, requestId)
        .then(() => {
          broadcaster.answer(session, deps.status());
          broadcaster.answer(session, { type: "SESSION_CHANGED", session: deps.pos.session() ?? noSession });
        })
        .catch((error: unknown) => {
          world.log.error({ err: error }, "a terminal that fell behind could not be brought up to date");
          session.socket.terminate();
        })
        .finally(() => catchingUp.delete(session));
    },

    idle,
  };
}
