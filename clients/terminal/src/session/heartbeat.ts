import type { TerminalWorld } from "../world.ts";

/** Sends a heartbeat every `heartbeatMs`, and three times within a lease's life while a lease is kept. */
export interface Heartbeat {
  /** A session begins, with these intervals in ms. */
  start(timing: { heartbeatMs: number; leaseTtlMs: number }): void;
  /** A lease is kept from now on. */
  reschedule(): void;
  stop(): void;
}

export function createHeartbeat(world: TerminalWorld, isLeaseKept: () => boolean, beat: () => void): Heartbeat {
  let timing = { heartbeatMs: 20_000, leaseTtlMs: 60_000 };
  let cancel = () => {};

  function reschedule(): void {
    cancel();
    const { heartbeatMs, leaseTtlMs } = timing;
    const waitMs = isLeaseKept() ? Math.min(heartbeatMs, leaseTtlMs / 3) : heartbeatMs;
    cancel = world.timers.after(waitMs, () => {
      beat();
      reschedule();
    });
  }

  return {
    start(newTiming) {
      timing = newTiming;
      reschedule();
    },
    reschedule,
    stop: () => cancel(),
  };
}
