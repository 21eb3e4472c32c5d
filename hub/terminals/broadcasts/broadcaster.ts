import type { HubMessage } from "@comanda/protocol";
import type { Listener } from "../../changes/change.ts";
import type { World } from "../../platform/world.ts";
import { broadcastOf, serialize, signed, toAll, type Broadcast } from "./broadcast.ts";
import { createMembershipBatcher } from "./membership-batcher.ts";
import { createPresenceBatcher } from "./presence-batcher.ts";
import type { ActiveTerminal, TerminalSession } from "../sessions/terminal-session.ts";
import { shareFrames } from "./shared-frames.ts";

export type Broadcaster = ReturnType<typeof createBroadcaster>;

/** Sends answers and broadcasts. Those of one flush share a frame if the terminal accepts batches. */
export function createBroadcaster(
  world: World,
  sessions: ReadonlySet<TerminalSession>,
  /** Signs a place in the shared state. */
  sign: (seq: number) => string,
) {
  /** Sessions with an answer queued for the next flush. */
  const pendingAnswers = new Set<TerminalSession>();
  const membership = createMembershipBatcher(world, (items) => items.forEach(queue));
  const presence = createPresenceBatcher<string>(world, (terminalId, text) => {
    // Presence must follow the terminal's TERMINAL_JOINED message.
    if (membership.isHolding(terminalId)) membership.add(terminalId, { text, upTo: arrivals, except: terminalId });
    else queue({ text, except: terminalId });
  });
  /** Counts sign-ins: a terminal gets no membership messages from before its own sign-in. */
  let arrivals = 0;
  let queued: Broadcast[] = [];
  let isFlushScheduled = false;

  /** Flushes after the answers of the same commit are queued, so they share a frame with its changes. */
  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    queueMicrotask(() => process.nextTick(flush));
  }

  function flush(): void {
    isFlushScheduled = false;
    const broadcasts = queued;
    queued = [];
    const shared = shareFrames(broadcasts);
    for (const session of broadcasts.length > 0 ? sessions : pendingAnswers) session.flush(broadcasts, shared);
    pendingAnswers.clear();
  }

  function queue(broadcast: Partial<Broadcast> & { text: string }): void {
    queued.push({ ...toAll, ...broadcast });
    scheduleFlush();
  }

  return {
    /** Answers one terminal, after the messages already queued for it. */
    answer(session: TerminalSession, message: HubMessage, requestId?: string): void {
      session.answer(JSON.stringify(requestId === undefined ? message : { ...message, requestId }));
      pendingAnswers.add(session);
      scheduleFlush();
    },
    /** Broadcasts the changes of one commit group. The last shared change is signed, once for all terminals. */
    announce: ((changes) => {
      if (sessions.size === 0) return;
      const broadcasts = changes.flatMap((change) => broadcastOf(change) ?? []);
      const last = broadcasts.findLastIndex(({ seq }) => seq !== null);
      queued.push(...broadcasts.map((broadcast, at) => (at === last ? signed(broadcast, sign) : broadcast)));
      scheduleFlush();
    }) satisfies Listener,
    /** Sends every terminal a message that is not part of the shared state. */
    sendToAll: (message: HubMessage): void => queue({ text: serialize(message) }),
    /** Sends the other terminals the presence of a terminal; may be batched. */
    sendPresence: ({ terminalId }: ActiveTerminal, message: HubMessage): void =>
      presence.add(terminalId, serialize(message)),
    /** Adds a terminal after its first SYNC. `place` is the arrival of the connection that it replaces, if any. */
    join(active: ActiveTerminal, place: number | undefined): void {
      active.arrival = place !== undefined && Number.isFinite(place) ? place : (arrivals += 1);
      if (place !== undefined) return;
      const { terminalId, identity, arrival } = active;
      const text = serialize({ type: "TERMINAL_JOINED", terminalId, userName: identity.userName });
      membership.add(terminalId, { text, upTo: arrival - 1 });
    },
    leave({ terminalId, identity }: ActiveTerminal): void {
      presence.forget(terminalId);
      const text = serialize({ type: "TERMINAL_LEFT", terminalId, userName: identity.userName });
      membership.add(terminalId, { text, upTo: arrivals });
    },
    forget: (session: TerminalSession): void => void pendingAnswers.delete(session),
    stop(): void {
      membership.stop();
      presence.stop();
      flush();
    },
  };
}
