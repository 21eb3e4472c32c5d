import { PASSWORD_COUNTS_MS } from "@comanda/protocol";

interface Clocks {
  /** Monotonic time in ms. Stops while the computer sleeps. */
  monotonic(): number;
  /** Wall time in ms since 1970. May be set back. */
  wall(): number;
}

/**
 * Tracks by digest which sessions were recently opened with a password, according to both clocks. Only in memory: after a
 * restart the password is required again.
 */
export function createRecentPasswords({ monotonic, wall }: Clocks) {
  const accepted = new Map<string, { monotonic: number; wall: number }>();

  function isRecent(at: { monotonic: number; wall: number }): boolean {
    return monotonic() - at.monotonic <= PASSWORD_COUNTS_MS && Math.abs(wall() - at.wall) <= PASSWORD_COUNTS_MS;
  }

  return {
    note(digest: string): void {
      for (const [each, at] of accepted) if (!isRecent(at)) accepted.delete(each);
      accepted.set(digest, { monotonic: monotonic(), wall: wall() });
    },
    has(digest: string): boolean {
      const at = accepted.get(digest);
      return at !== undefined && isRecent(at);
    },
  };
}
