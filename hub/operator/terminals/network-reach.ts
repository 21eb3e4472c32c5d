import type { Pairing } from "@comanda/protocol";
import { isoTimeOrNull, type World } from "../../platform/world.ts";
import { isThisMachine } from "../../platform/loopback.ts";

/** A code that is older, or was used longer ago, is replaced when it is shown again. */
const LASTS_MS = 15 * 60_000;

/**
 * Whether other devices reach this hub over the network. The pairing code (QR) carries a code that nobody else is given:
 * the first other device that brings it back proves that network and firewall let it through.
 */
export function createNetworkReach(world: World, onReached: () => void) {
  let current = begin();

  function begin(): { code: string; touchedAt: number; reachedAt: number | null } {
    return {
      code: world.random.bytes(9).toString("base64url"),
      touchedAt: world.clock.monotonic(),
      reachedAt: null,
    };
  }

  return {
    /** The code to show now, and when a device brought it. */
    read(): NonNullable<Pairing["reach"]> {
      if (world.clock.monotonic() - current.touchedAt > LASTS_MS) current = begin();
      const { code, reachedAt } = current;
      return { code, reachedAt: isoTimeOrNull(reachedAt) };
    },
    /** A device brings a code. Returns whether it is the present one; what this machine itself brings proves nothing. */
    visit(code: string, peer: string): boolean {
      if (code !== current.code) return false;
      if (current.reachedAt !== null || isThisMachine(peer)) return true;
      current = { ...current, reachedAt: world.clock.now(), touchedAt: world.clock.monotonic() };
      world.log.info({ peer }, "a device on the network reached the hub with the pairing code");
      onReached();
      return true;
    },
  };
}
