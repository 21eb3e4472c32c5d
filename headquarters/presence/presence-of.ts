import type { HqPresence } from "@comanda/protocol/headquarters.ts";

/** No word for so long is late, and for so long offline. */
export const LATE_MS = 30_000;
export const OFFLINE_MS = 60_000;

/**
 * What the last word of a restaurant says of it now (ms since 1970). Before `listeningSince` headquarters could not hear
 * anybody: that time is nobody's silence.
 */
export function presenceOf(heardAt: number | null, now: number, listeningSince: number): HqPresence {
  if (heardAt === null) return "never";
  const silentMs = now - Math.max(heardAt, listeningSince);
  if (silentMs >= OFFLINE_MS) return "offline";
  return silentMs >= LATE_MS ? "late" : "online";
}
