import { createTokenBucket, type Budget, type TokenBucket } from "@comanda/protocol";

interface Peer {
  open: number;
  arrivals: TokenBucket;
}

/** Peers are remembered this long after their last socket, so that reconnecting gains nothing. */
const REMEMBERED_MS = 60_000;

/** Limits how many sockets each address has open, and how fast it opens them. `monotonic` is in ms. */
export function createSocketCount(limits: { open: number; arrivals: Budget }, monotonic: () => number) {
  /** Ordered by the time since the last socket closed, longest first. */
  const peers = new Map<string, Peer & { closedAt: number }>();

  function forgetIdle(): void {
    for (const [address, { open, closedAt }] of peers) {
      if (open > 0) continue;
      if (closedAt > monotonic() - REMEMBERED_MS) return;
      peers.delete(address);
    }
  }

  return {
    /** Counts a new socket. Returns false, without counting it, if it exceeds a limit. */
    admits(address: string): boolean {
      forgetIdle();
      const peer = peers.get(address) ?? {
        open: 0,
        arrivals: createTokenBucket(limits.arrivals, monotonic),
        closedAt: 0,
      };
      peers.set(address, peer);
      if (!peer.arrivals.take() || peer.open >= limits.open) return false;
      peer.open += 1;
      return true;
    },
    /** Stops counting a closed socket. */
    closed(address: string): void {
      const peer = peers.get(address);
      if (peer === undefined) return;
      peer.open -= 1;
      peer.closedAt = monotonic();
      peers.delete(address);
      peers.set(address, peer);
    },
  };
}
