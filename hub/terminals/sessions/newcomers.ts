import type { TerminalSession } from "./terminal-session.ts";

/** Connections that have not signed in, of one peer and of all. */
const MAX_PER_PEER = 256;
const MAX_NEWCOMERS = 1_024;

export type Newcomers = ReturnType<typeof createNewcomers>;

/**
 * The connections that have not signed in yet, a limited number. One too many takes the place of the one that has been
 * silent for longest, since an honest terminal sends AUTH at once.
 */
export function createNewcomers() {
  /** In the order in which they came. */
  const newcomers = new Set<TerminalSession>();

  function countOf(address: string): number {
    let count = 0;
    for (const newcomer of newcomers) if (newcomer.address === address) count += 1;
    return count;
  }

  /** The one that has been silent for longest, of a peer or of all. */
  function longestSilent(address: string | null): TerminalSession | null {
    for (const newcomer of newcomers) {
      if (newcomer.state.kind !== "awaiting-auth") continue;
      if (address === null || newcomer.address === address) return newcomer;
    }
    return null;
  }

  return {
    /** Whether a connection from `address` can be taken: at once, after `drop` is closed, or not. */
    placeFor(address: string): "free" | "full" | { drop: TerminalSession } {
      const isCrowd = countOf(address) >= MAX_PER_PEER;
      if (!isCrowd && newcomers.size < MAX_NEWCOMERS) return "free";
      const drop = longestSilent(isCrowd ? address : null);
      return drop === null ? "full" : { drop };
    },
    add: (session: TerminalSession): void => void newcomers.add(session),
    /** It has signed in, or it has left. */
    remove: (session: TerminalSession): void => void newcomers.delete(session),
  };
}
