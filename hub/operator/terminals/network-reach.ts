import type { Pairing } from "@comanda/protocol";
import { isoTimeOrNull, type World } from "../../platform/world.ts";
import { isThisMachine } from "../../platform/loopback.ts";

/** A code that was created or used longer ago than this, in ms, is replaced when it is next shown. */
const EXPIRY_MS = 15 * 60_000;

/**
 * Checks whether other devices reach this hub over the network. The pairing code (QR) contains a secret code: the first other
 * device that sends it back proves that the network and the firewall let it through.
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
    /** Returns the code to show now, and when a device sent it. */
    read(): NonNullable<Pairing["reach"]> {
      if (world.clock.monotonic() - current.touchedAt > EXPIRY_MS) current = begin();
      const { code, reachedAt } = current;
      return { code, reachedAt: isoTimeOrNull(reachedAt) };
    },
    /** Checks a device's code and returns whether it is current. Visits from this machine prove nothing. */
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
