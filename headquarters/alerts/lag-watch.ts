import type { RestaurantStatus } from "./restaurants.ts";

/** Changes that take longer than this are late, not in transit. */
const BEHIND_MS = 10_000;

export type LagWatch = ReturnType<typeof createLagWatch>;

/**
 * Finds restaurants whose checks here are behind what they report. The latest changes are still in transit, so comparing `seq`
 * is not enough: a restaurant is behind if its cursor has not reached the `seq` that it reported a while ago.
 */
export function createLagWatch(now: () => number) {
  /** The `seq` that each restaurant reported, and when (ms since 1970), until its cursor reaches it. */
  const pending = new Map<string, { seq: number; at: number }>();

  return {
    /** Compares all restaurants. Call it every few seconds. */
    observe(restaurants: readonly Pick<RestaurantStatus, "id" | "beat" | "seq">[]): void {
      for (const { id, beat, seq } of restaurants) {
        const place = pending.get(id);
        // A hub that now reports less, or nothing, has a new history (a new PC, say), which need not reach that `seq`.
        const isPending = place !== undefined && beat !== null && beat.seq >= place.seq;
        if (isPending && (seq ?? -1) < place.seq) continue;
        if (beat === null || beat.seq <= (seq ?? -1)) pending.delete(id);
        else pending.set(id, { seq: beat.seq, at: now() });
      }
    },
    /** Returns for how long a restaurant has been behind, in ms; 0 if it is not. */
    behindMs({ id, seq }: Pick<RestaurantStatus, "id" | "seq">): number {
      const place = pending.get(id);
      if (place === undefined || (seq ?? -1) >= place.seq) return 0;
      const ms = now() - place.at;
      return ms > BEHIND_MS ? ms : 0;
    },
  };
}
