import type { Duplex } from "node:stream";
import { hubLimits } from "@comanda/protocol";

/** Devices that may practise at once. */
const MAX_SETTLED = 64;
/** Connections that have not shown yet that they are a device's, of all addresses and of one. */
const MAX_NEWCOMERS = 64;
const MAX_NEWCOMERS_PER_PEER = 8;
/** The practice hub closes what has not signed in by then; what is left is a device. */
const SETTLED_AFTER_MS = hubLimits.authWithinMs + 1_000;

interface Held {
  address: string;
  at: number;
}

export type PracticePlaces = ReturnType<typeof createPracticePlaces>;

/**
 * The connections to the practice: places of newcomers are apart from those of devices that are signed in, and limited for
 * each address. One newcomer too many takes the place of the one that has been there longest.
 */
export function createPracticePlaces(monotonic: () => number) {
  /** In the order in which they came. */
  const held = new Map<Duplex, Held>();

  function newcomers(address?: string): Duplex[] {
    const since = monotonic() - SETTLED_AFTER_MS;
    return [...held].flatMap(([socket, each]) =>
      each.at > since && (address === undefined || each.address === address) ? [socket] : [],
    );
  }

  return {
    /** Whether there is a place for another connection of an address; a newcomer may have to go for it. */
    makePlace(address: string): boolean {
      const all = newcomers();
      if (held.size - all.length >= MAX_SETTLED) return false;
      const own = newcomers(address);
      if (own.length >= MAX_NEWCOMERS_PER_PEER) own[0]?.destroy();
      else if (all.length >= MAX_NEWCOMERS) all[0]?.destroy();
      return true;
    },
    /** A connection, which ends its place with it. */
    hold(socket: Duplex, address: string): void {
      held.set(socket, { address, at: monotonic() });
      socket.once("close", () => held.delete(socket));
    },
    count: (): number => held.size,
    closeAll(): void {
      for (const socket of held.keys()) socket.destroy();
    },
  };
}
