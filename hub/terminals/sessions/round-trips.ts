import type { WebSocket } from "ws";

const PING_EVERY_MS = 10_000;

/** Measures how long a terminal takes to answer, with occasional pings, one at a time. */
export function createRoundTrips(socket: Pick<WebSocket, "ping">) {
  let pingedAt = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let pingMs: number | null = null;

  return {
    /** Sends a ping, unless the last one is recent or still unanswered. An unanswered one counts with its wait so far. */
    ping(at: number): void {
      if (isUnderWay) pingMs = Math.max(pingMs ?? 0, Math.round(at - pingedAt));
      if (isUnderWay || at - pingedAt < PING_EVERY_MS) return;
      pingedAt = at;
      isUnderWay = true;
      socket.ping();
    },
    ponged(at: number): void {
      if (!isUnderWay) return;
      isUnderWay = false;
      pingMs = Math.round(at - pingedAt);
    },
    /** How long the last ping took, or has been waiting, in ms; null before the first. */
    pingMs: (): number | null => pingMs,
  };
}
