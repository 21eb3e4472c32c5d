import type { World } from "../platform/world.ts";
import { createRunTime } from "./run-time.ts";

/**
 * How old things are that carry a stamp of the wall clock. It is read when each is first asked for, soon after it was
 * stamped or at a start; from then on time counts as it passes, however the clock is set.
 */
export function createAges(clock: World["clock"]) {
  const { elapsed } = createRunTime(clock);
  const beganAt = new Map<string, number>();

  return {
    /** Tells ages as they are at this moment, in ms; `stampedAt` in ms since 1970. What the clocks say is asked once. */
    now() {
      const now = elapsed();
      return (id: string, stampedAt: number): number => {
        const began = beganAt.get(id) ?? now - Math.max(0, clock.now() - stampedAt);
        beganAt.set(id, began);
        return now - began;
      };
    },
    /** Forgets all others. */
    keepOnly(ids: readonly string[]): void {
      const kept = new Set(ids);
      for (const id of beganAt.keys()) if (!kept.has(id)) beganAt.delete(id);
    },
  };
}
