import type { HqPresence } from "@comanda/protocol/headquarters.ts";

/** No word for so long is late, and for so long offline. */
export const LATE_MS = 30_000;
export const OFFLINE_MS = 60_000;

/** Whether headquarters can hear restaurants, and since when (ms since 1970) they can or cannot. */
export interface Listening {
  isOn: boolean;
  since: number;
}

/**
 * What the last word of a restaurant says of it now (ms since 1970). Before headquarters began to listen they could not
 * hear anybody: that time is nobody's silence.
 */
export function presenceOf(heardAt: number | null, now: number, listening: Listening): HqPresence {
  if (heardAt === null) return "never";
  const silentMs = now - (listening.isOn ? Math.max(heardAt, listening.since) : heardAt);
  if (silentMs >= OFFLINE_MS) return "offline";
  return silentMs >= LATE_MS ? "late" : "online";
}
