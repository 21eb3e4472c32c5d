/** While connected the hub answers every 20 s, also when nothing happens. */
const STALE_ONLINE_MS = 30_000;
/** A connection that is lost for less is a hiccup of the network. */
const STALE_OFFLINE_MS = 4_000;

/** Counts how long the hub was not heard, on a clock in ms that no change of the time moves. */
export function createSilence(monotonic: () => number) {
  let heard: { asOf: string; at: number } | null = null;
  return {
    /** In ms; null when the hub was never heard. `asOf`: up to when the local copy is complete, by the hub's time. */
    at({ asOf, hubNow }: { asOf: string | null; hubNow: number }): number | null {
      if (asOf === null) return null;
      if (heard?.asOf !== asOf) {
        // The first copy may be an old one, kept over a reload.
        const age = heard === null ? Math.max(0, hubNow - Date.parse(asOf)) : 0;
        heard = { asOf, at: monotonic() - age };
      }
      return monotonic() - heard.at;
    },
    isStale: (ms: number | null, isOnline: boolean): boolean =>
      ms === null ? !isOnline : ms >= (isOnline ? STALE_ONLINE_MS : STALE_OFFLINE_MS),
  };
}
