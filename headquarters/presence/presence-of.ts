import type { HqPresence } from "@comanda/protocol/headquarters.ts";

/** The time without a beat after which a restaurant is late, and after which it is offline. */
export const LATE_MS = 30_000;
export const OFFLINE_MS = 60_000;

/** Whether headquarters can receive beats, and since when (ms since 1970) they can or cannot. */
export interface Listening {
  isOn: boolean;
  since: number;
}

/**
 * Returns a restaurant's presence by the time of its last beat (ms since 1970). The time before headquarters began to listen
 * does not count as silence.
 */
export function presenceOf(heardAt: number | null, now: number, listening: Listening): HqPresence {
  if (heardAt === null) return "never";
  const silentMs = now - (listening.isOn ? Math.max(heardAt, listening.since) : heardAt);
  if (silentMs >= OFFLINE_MS) return "offline";
  return silentMs >= LATE_MS ? "late" : "online";
}
