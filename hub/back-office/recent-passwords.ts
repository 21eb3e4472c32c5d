import { PASSWORD_COUNTS_MS } from "@comanda/protocol";

interface Clocks {
  /** ms since some moment: stands still while the computer sleeps. */
  monotonic(): number;
  /** ms since 1970: may be put back. */
  wall(): number;
}

/**
 * The sessions that were opened with a password a moment ago by both clocks, by their digests. They are not stored: after a
 * restart the password is asked for.
 */
export function createRecentPasswords({ monotonic, wall }: Clocks) {
  const given = new Map<string, { monotonic: number; wall: number }>();

  function isRecent(at: { monotonic: number; wall: number }): boolean {
    return monotonic() - at.monotonic <= PASSWORD_COUNTS_MS && Math.abs(wall() - at.wall) <= PASSWORD_COUNTS_MS;
  }

  return {
    note(digest: string): void {
      for (const [each, at] of given) if (!isRecent(at)) given.delete(each);
      given.set(digest, { monotonic: monotonic(), wall: wall() });
    },
    has(digest: string): boolean {
      const at = given.get(digest);
      return at !== undefined && isRecent(at);
    },
  };
}
