import type { Duplex } from "node:stream";
import { hubLimits } from "@comanda/protocol";

/** How many devices may practise at once. */
const MAX_SETTLED = 64;
/** Limits on new connections, which may not have signed in yet, in total and per address. */
const MAX_NEWCOMERS = 64;
const MAX_NEWCOMERS_PER_PEER = 8;
/** By this age the practice hub has closed connections that have not signed in; the rest are devices. */
const SETTLED_AFTER_MS = hubLimits.authWithinMs + 1_000;

interface Connection {
  address: string;
  at: number;
}

export type PracticePlaces = ReturnType<typeof createPracticePlaces>;

/**
 * The connections to the practice. New connections are counted apart from signed-in devices and limited per address. One too
 * many replaces the oldest new connection.
 */
export function createPracticePlaces(monotonic: () => number) {
  /** In order of arrival. */
  const connections = new Map<Duplex, Connection>();

  function newcomers(address?: string): Duplex[] {
    const since = monotonic() - SETTLED_AFTER_MS;
    return [...connections].flatMap(([socket, each]) =>
      each.at > since && (address === undefined || each.address === address) ? [socket] : [],
    );
  }

  return {
    /** Whether another connection from an address has room; may close an older new connection for it. */
    makePlace(address: string): boolean {
      const all = newcomers();
      if (connections.size - all.length >= MAX_SETTLED) return false;
      const own = newcomers(address);
      if (own.length >= MAX_NEWCOMERS_PER_PEER) own[0]?.destroy();
      else if (all.length >= MAX_NEWCOMERS) all[0]?.destroy();
      return true;
    },
    /** Counts a connection until it closes. */
    hold(socket: Duplex, address: string): void {
      connections.set(socket, { address, at: monotonic() });
      socket.once("close", () => connections.delete(socket));
    },
    count: (): number => connections.size,
    closeAll(): void {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}
