import type { TerminalWorld } from "../world.ts";

/** Sends a heartbeat every `heartbeatMs`, and three times per lease duration while a lease is kept. */
export function createHeartbeat(world: TerminalWorld, hasLease: () => boolean, beat: () => void) {
  let timing = { heartbeatMs: 20_000, leaseTtlMs: 60_000 };
  let cancel = () => {};

  function reschedule(): void {
    cancel();
    const { heartbeatMs, leaseTtlMs } = timing;
    const waitMs = hasLease() ? Math.min(heartbeatMs, leaseTtlMs / 3) : heartbeatMs;
    cancel = world.timers.after(waitMs, () => {
      beat();
      reschedule();
    });
  }

  return {
    /** Starts a session with these intervals, in ms. */
    start(newTiming: { heartbeatMs: number; leaseTtlMs: number }): void {
      timing = newTiming;
      reschedule();
    },
    /** Call when a lease is kept from now on. */
    reschedule,
    stop: () => cancel(),
  };
}
