/** While connected, the hub answers at least every 20 s. */
const STALE_ONLINE_MS = 30_000;
/** A shorter disconnection is a hiccup of the network. */
const STALE_OFFLINE_MS = 4_000;

/** Measures how long the hub has been silent, in ms, on a monotonic clock. */
export function createSilence(monotonic: () => number) {
  let last: { asOf: string; at: number } | null = null;
  return {
    /** Returns ms since the hub was last heard, or null if never. The local copy is complete up to `asOf`, by hub time. */
    at({ asOf, hubNow }: { asOf: string | null; hubNow: number }): number | null {
      if (asOf === null) return null;
      if (last?.asOf !== asOf) {
        // The first copy may be old: it may have been kept over a reload.
        const age = last === null ? Math.max(0, hubNow - Date.parse(asOf)) : 0;
        last = { asOf, at: monotonic() - age };
      }
      return monotonic() - last.at;
    },
    isStale: (ms: number | null, isOnline: boolean): boolean =>
      ms === null ? !isOnline : ms >= (isOnline ? STALE_ONLINE_MS : STALE_OFFLINE_MS),
  };
}
