import type { WebSocket } from "ws";

const PING_EVERY_MS = 10_000;

/** How long a terminal takes to answer, by the pings that it is sent now and then. */
export function createRoundTrips(socket: Pick<WebSocket, "ping">) {
  let pingedAt: number | null = null;
  let pingMs: number | null = null;

  return {
    /** Measures the round trip: a ping, unless the last one is still under way or young. */
    ping(at: number): void {
      if (pingedAt !== null && at - pingedAt < PING_EVERY_MS) return;
      pingedAt = at;
      socket.ping();
    },
    ponged(at: number): void {
      if (pingedAt !== null) pingMs = Math.round(at - pingedAt);
    },
    /** The last round trip in ms; null before the first. */
    pingMs: (): number | null => pingMs,
  };
}
