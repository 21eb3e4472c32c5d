import { logEvent } from "../platform/log-event.ts";
import type { World } from "../platform/world.ts";
import type { HeldLeases } from "./held-leases.ts";

/** Manages the grace periods for leases of disconnected terminals. */
export function createLeaseGraces({ clock, log }: Pick<World, "clock" | "log">, held: HeldLeases, graceMs: number) {
  return {
    /** Extends every lease to at least one grace period from now. Call this when the machine woke up from sleep. */
    giveFreshGrace(): void {
      const until = clock.monotonic() + graceMs;
      const all = held.list();
      for (const lease of all) {
        lease.endsAt = Math.max(lease.endsAt, until);
        if (lease.graceEndsAt !== null) lease.graceEndsAt = Math.max(lease.graceEndsAt, until);
        // The timer may already have fired if the lease ended during the sleep.
        held.awaitEnd(lease);
      }
      log.info(logEvent("machine_slept", { leases: all.length }), "the machine slept: every lease gets a fresh grace");
    },

    /** Ends the grace period of a reconnected terminal: it keeps the leases that are still in force. */
    connect(terminalId: string): void {
      for (const lease of held.listByTerminal(terminalId)) if (held.isInForce(lease)) lease.graceEndsAt = null;
    },

    /** Starts the grace period of a disconnected terminal. */
    disconnect(terminalId: string): void {
      for (const lease of held.listByTerminal(terminalId)) {
        lease.graceEndsAt = clock.monotonic() + graceMs;
        held.awaitEnd(lease);
      }
    },
  };
}
