import type { KnownRestaurant } from "./restaurants.ts";

/** What takes longer than this is no longer on its way. */
const BEHIND_MS = 10_000;

export type LagWatch = ReturnType<typeof createLagWatch>;

/**
 * Whose checks are behind what the restaurant itself says that it has. What was changed a moment ago is on its way, so that
 * `seq` alone says nothing: behind is a restaurant that is not yet where it said it was a while ago.
 */
export function createLagWatch(now: () => number) {
  /** Where each restaurant said it was, and when; until its cursor gets there. */
  const awaited = new Map<string, { seq: number; at: number }>();

  return {
    /** Looks at all restaurants; to be called every few seconds. */
    look(restaurants: readonly Pick<KnownRestaurant, "id" | "beat" | "seq">[]): void {
      for (const { id, beat, seq } of restaurants) {
        const place = awaited.get(id);
        // Where it says less by now, or nothing yet, its history is another one, as of a new PC, and never gets there.
        const isAwaited = place !== undefined && beat !== null && beat.seq >= place.seq;
        if (isAwaited && (seq ?? -1) < place.seq) continue;
        if (beat === null || beat.seq <= (seq ?? -1)) awaited.delete(id);
        else awaited.set(id, { seq: beat.seq, at: now() });
      }
    },
    /** For how long a restaurant has been behind, in ms; 0 when it is not. */
    behindMs({ id, seq }: Pick<KnownRestaurant, "id" | "seq">): number {
      const place = awaited.get(id);
      if (place === undefined || (seq ?? -1) >= place.seq) return 0;
      const ms = now() - place.at;
      return ms > BEHIND_MS ? ms : 0;
    },
  };
}
