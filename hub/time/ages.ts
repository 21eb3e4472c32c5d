import type { World } from "../platform/world.ts";
import { createRunTime } from "./run-time.ts";

/**
 * Measures ages of objects with a wall clock timestamp. The timestamp is read on the first request, soon after it was set or at
 * a start. From then on the age follows elapsed time, however the wall clock is set.
 */
export function createAges(clock: World["clock"]) {
  const { elapsed } = createRunTime(clock);
  const startedAt = new Map<string, number>();

  return {
    /** Returns a function for ages in ms at this moment. `stampedAt` is ms since 1970. */
    now() {
      const now = elapsed();
      return (id: string, stampedAt: number): number => {
        const start = startedAt.get(id) ?? now - Math.max(0, clock.now() - stampedAt);
        startedAt.set(id, start);
        return now - start;
      };
    },
    /** Forgets all other ids. */
    keepOnly(ids: readonly string[]): void {
      const retained = new Set(ids);
      for (const id of startedAt.keys()) if (!retained.has(id)) startedAt.delete(id);
    },
  };
}
