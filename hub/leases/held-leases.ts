import type { World } from "../platform/world.ts";
import type { LeaseRow } from "./lease-store.ts";

/** A lease in memory. It ends at `endsAt` of the monotonic clock (ms); `expiresAt` is only for display. */
export interface HeldLease extends LeaseRow {
  endsAt: number;
  /** Set while the holder is disconnected: the lease ends at this time unless the holder reconnects. */
  graceEndsAt: number | null;
}

export type HeldLeases = ReturnType<typeof createHeldLeases>;

/**
 * Holds the leases in memory, since the data file stores neither monotonic times nor grace periods. They are also indexed
 * by terminal, so that the cost of a heartbeat does not depend on other terminals' leases. `onEnd` is called when a lease
 * has ended; the lease is not removed.
 */
export function createHeldLeases({ clock, timers }: World, onEnd: (posReference: string) => void) {
  const byOrder = new Map<string, HeldLease>();
  const byTerminal = new Map<string, Map<string, HeldLease>>();
  const ends = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  let isStopped = false;

  function isInForce({ endsAt, graceEndsAt }: HeldLease): boolean {
    return Math.min(endsAt, graceEndsAt ?? Infinity) > clock.monotonic();
  }

  /** Sets a timer unless an earlier one exists. A renewal keeps the old timer, which is set again when it fires too early. */
  function awaitEnd({ posReference, endsAt, graceEndsAt }: HeldLease): void {
    const at = Math.min(endsAt, graceEndsAt ?? Infinity);
    if (at < (ends.get(posReference)?.at ?? Infinity)) setTimer(posReference, at);
  }

  function setTimer(posReference: string, at: number): void {
    timers.clearTimeout(ends.get(posReference)?.timer);
    if (isStopped) return;
    const fire = (): void => {
      ends.delete(posReference);
      const lease = byOrder.get(posReference);
      if (lease === undefined) return;
      if (isInForce(lease)) awaitEnd(lease);
      else onEnd(posReference);
    };
    ends.set(posReference, { at, timer: timers.setTimeout(fire, Math.max(1, Math.ceil(at - clock.monotonic()))) });
  }

  function removeFromTerminal(posReference: string): void {
    const lease = byOrder.get(posReference);
    if (lease === undefined) return;
    const own = byTerminal.get(lease.terminalId);
    own?.delete(posReference);
    if (own?.size === 0) byTerminal.delete(lease.terminalId);
  }

  return {
    isInForce,
    awaitEnd,
    get: (posReference: string): HeldLease | undefined => byOrder.get(posReference),
    current(posReference: string): HeldLease | undefined {
      const lease = byOrder.get(posReference);
      return lease !== undefined && isInForce(lease) ? lease : undefined;
    },
    list: (): HeldLease[] => [...byOrder.values()],
    listByTerminal: (terminalId: string): HeldLease[] => [...(byTerminal.get(terminalId)?.values() ?? [])],
    /** The number of leases in force that a user's terminals hold. */
    countByUser: (userName: string): number =>
      [...byOrder.values()].filter((lease) => lease.userName === userName && isInForce(lease)).length,
    set(lease: HeldLease): void {
      const { posReference, terminalId } = lease;
      removeFromTerminal(posReference);
      byOrder.set(posReference, lease);
      byTerminal.set(terminalId, (byTerminal.get(terminalId) ?? new Map<string, HeldLease>()).set(posReference, lease));
      awaitEnd(lease);
    },
    remove(posReference: string): void {
      removeFromTerminal(posReference);
      byOrder.delete(posReference);
      timers.clearTimeout(ends.get(posReference)?.timer);
      ends.delete(posReference);
    },
    /** Calls `onEnd` again after `afterMs`. */
    retryEnd: (posReference: string, afterMs: number): void => setTimer(posReference, clock.monotonic() + afterMs),
    stop(): void {
      isStopped = true;
      for (const { timer } of ends.values()) timers.clearTimeout(timer);
    },
  };
}
