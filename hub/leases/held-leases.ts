import type { World } from "../platform/world.ts";
import type { LeaseRow } from "./lease-store.ts";

/** A lease in memory. Its end runs on the monotonic clock; `expiresAt` is only what people are shown. */
export interface HeldLease extends LeaseRow {
  endsAt: number;
  /** Set while the holder is disconnected: the lease ends here unless the holder comes back. */
  graceEndsAt: number | null;
}

export type HeldLeases = ReturnType<typeof createHeldLeases>;

/**
 * The leases in memory. The data file cannot stand in for them: it knows neither the monotonic clock nor graces. They are
 * also kept by terminal, so that a heartbeat costs nothing for what other terminals hold. `onEnd` is called once a lease
 * has ended, which does not remove it.
 */
export function createHeldLeases({ clock, timers }: World, onEnd: (posReference: string) => void) {
  const byOrder = new Map<string, HeldLease>();
  const byTerminal = new Map<string, Map<string, HeldLease>>();
  const ends = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  let isStopped = false;

  function isInForce({ endsAt, graceEndsAt }: HeldLease): boolean {
    return Math.min(endsAt, graceEndsAt ?? Infinity) > clock.monotonic();
  }

  /** Sets a timer unless one fires earlier: a renewal leaves the timer, which is set again when it has fired too early. */
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
    all: (): HeldLease[] => [...byOrder.values()],
    of: (terminalId: string): HeldLease[] => [...(byTerminal.get(terminalId)?.values() ?? [])],
    /** How many the terminals of a user hold. */
    ofUser: (userName: string): number => [...byOrder.values()].filter((lease) => lease.userName === userName).length,
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
    /** Calls `onEnd` again after this time. */
    retryEnd: (posReference: string, afterMs: number): void => setTimer(posReference, clock.monotonic() + afterMs),
    stop(): void {
      isStopped = true;
      for (const { timer } of ends.values()) timers.clearTimeout(timer);
    },
  };
}
