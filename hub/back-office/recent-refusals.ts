import type { World } from "../platform/world.ts";

/** How long a refusal is cached. A refused session never becomes valid again. */
const RETENTION_MS = 10_000;
const MAX_ENTRIES = 2_000;

/**
 * Caches by digest the sessions that the back-office refused within the last ten seconds, so that a client that keeps
 * sending a dead token does not cause a call each time.
 */
export function createRecentRefusals(world: World) {
  /** Expiry by digest, in ms of the monotonic clock, oldest first. */
  const ends = new Map<string, number>();

  function forgetOld(): void {
    const now = world.clock.monotonic();
    for (const [digest, end] of ends) {
      if (end > now && ends.size <= MAX_ENTRIES) return;
      ends.delete(digest);
    }
  }

  return {
    note(digest: string): void {
      ends.delete(digest);
      ends.set(digest, world.clock.monotonic() + RETENTION_MS);
      forgetOld();
    },
    has: (digest: string): boolean => (ends.get(digest) ?? -Infinity) > world.clock.monotonic(),
    forget: (digest: string): void => void ends.delete(digest),
  };
}
