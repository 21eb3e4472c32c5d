import type { TerminalSession } from "./terminal-session.ts";

/** Limits on connections that have not signed in, per address and in total. */
const MAX_PER_PEER = 256;
const MAX_NEWCOMERS = 1_024;

export type Newcomers = ReturnType<typeof createNewcomers>;

/**
 * A limited set of connections that have not signed in yet. When it is full, a new connection replaces the one that has been
 * silent longest, since an honest terminal sends AUTH at once.
 */
export function createNewcomers() {
  /** In order of arrival. */
  const newcomers = new Set<TerminalSession>();

  function countOf(address: string): number {
    let count = 0;
    for (const newcomer of newcomers) if (newcomer.address === address) count += 1;
    return count;
  }

  /** The connection that has been silent longest, of one address or of all. */
  function longestIdle(address: string | null): TerminalSession | null {
    for (const newcomer of newcomers) {
      if (newcomer.state.kind !== "awaiting-auth") continue;
      if (address === null || newcomer.address === address) return newcomer;
    }
    return null;
  }

  return {
    /** Whether a connection from `address` can be accepted: now, after `drop` is closed, or not at all. */
    placeFor(address: string): "free" | "full" | { drop: TerminalSession } {
      const isAddressFull = countOf(address) >= MAX_PER_PEER;
      if (!isAddressFull && newcomers.size < MAX_NEWCOMERS) return "free";
      const drop = longestIdle(isAddressFull ? address : null);
      return drop === null ? "full" : { drop };
    },
    add: (session: TerminalSession): void => void newcomers.add(session),
    /** Removes a connection that has signed in or closed. */
    remove: (session: TerminalSession): void => void newcomers.delete(session),
  };
}
