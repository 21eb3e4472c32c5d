import type { World } from "../platform/world.ts";

/** A refused session does not come back to life, so asking about it again can wait. */
const KEPT_MS = 10_000;
const MAX_KEPT = 2_000;

/**
 * The sessions, by digest, that the back-office refused within the last ten seconds. A client that keeps sending a dead
 * token would otherwise cost the back-office a call each time.
 */
export function createRecentRefusals(world: World) {
  /** Until when each counts, the oldest first. */
  const ends = new Map<string, number>();

  function forgetOld(): void {
    const now = world.clock.monotonic();
    for (const [digest, end] of ends) {
      if (end > now && ends.size <= MAX_KEPT) return;
      ends.delete(digest);
    }
  }

  return {
    note(digest: string): void {
      ends.delete(digest);
      ends.set(digest, world.clock.monotonic() + KEPT_MS);
      forgetOld();
    },
    has: (digest: string): boolean => (ends.get(digest) ?? -Infinity) > world.clock.monotonic(),
    forget: (digest: string): void => void ends.delete(digest),
  };
}
