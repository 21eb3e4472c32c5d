import { logEvent } from "../platform/log-event.ts";
import type { World } from "../platform/world.ts";
import type { HeldLeases } from "./held-leases.ts";

/** For how long the leases of terminals that are away are held. */
export function createLeaseGraces({ clock, log }: Pick<World, "clock" | "log">, held: HeldLeases, graceMs: number) {
  return {
    /** To be called when the machine woke up: what was held before is held for one more grace. */
    giveFreshGrace(): void {
      const until = clock.monotonic() + graceMs;
      const all = held.all();
      for (const lease of all) {
        lease.endsAt = Math.max(lease.endsAt, until);
        if (lease.graceEndsAt !== null) lease.graceEndsAt = Math.max(lease.graceEndsAt, until);
        // The timer of one whose time ran out meanwhile may have fired already.
        held.awaitEnd(lease);
      }
      log.info(logEvent("machine_slept", { leases: all.length }), "the machine slept: every lease gets a fresh grace");
    },

    /** The terminal is back: it keeps the leases that it still holds. */
    connect(terminalId: string): void {
      for (const lease of held.of(terminalId)) if (held.isInForce(lease)) lease.graceEndsAt = null;
    },

    /** From now on the grace runs. */
    disconnect(terminalId: string): void {
      for (const lease of held.of(terminalId)) {
        lease.graceEndsAt = clock.monotonic() + graceMs;
        held.awaitEnd(lease);
      }
    },
  };
}
