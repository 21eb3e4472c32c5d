import {
  EXTERNAL_REFERENCE_PREFIX,
  terminalLimits,
  type Lease,
  type LeaseHolder,
  type LeaseRole,
} from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createExpiryQueue } from "./expiry-queue.ts";
import type { LeaseRow, LeaseStore } from "./lease-store.ts";

/** A lease in force. Its end runs on the monotonic clock; `expiresAt` is only what people are told. */
interface HeldLease extends LeaseRow {
  endsAt: number;
  /** Set while the holder is disconnected: the lease ends here if the holder does not come back. */
  graceEndsAt: number | null;
}

export interface LeaseRequest {
  posReference: string;
  terminalId: string;
  userName: string;
  role: LeaseRole;
  /** Moves the lease from whoever holds it; the caller has made sure that this is a manager. */
  takeover: boolean;
  /** The terminal says that it is about to create this order. */
  isNew: boolean;
}

export type LeaseAnswer = { granted: true; lease: Lease; ttlMs: number } | { granted: false; holder: LeaseHolder };

export type LeaseBook = ReturnType<typeof createLeaseBook>;

const SLEEP_TICK_MS = 1000;
const SLEPT_MS = 5000;
/** How long a removal that could not be stored waits before it is tried again. */
const FAILED_WAIT_MS = 5000;

/** Who may edit which order. Every change is written before it is answered; the book in memory follows the data file. */
export function createLeaseBook(deps: {
  world: World;
  time: Pick<TrustedTime, "now">;
  changes: ChangeLog;
  store: LeaseStore;
  /** Why an order takes no changes any more, as a refusal; null while it does, or is not known. */
  whyFinished: (posReference: string) => HubError | null;
  /** Whether the hub has such an order. */
  isKnown: (posReference: string) => boolean;
  ttlMs: number;
  graceMs: number;
}) {
  const { world, time, changes, store, whyFinished, isKnown, ttlMs, graceMs } = deps;
  const { clock, timers } = world;
  const held = new Map<string, HeldLease>();
  /** The same leases by their terminal: what one terminal does costs nothing for what the others hold. */
  const heldBy = new Map<string, Map<string, HeldLease>>();
  /** The leases by their ends (monotonic). A renewal leaves a lease in its place: it is put back when that is reached. */
  const ends = createExpiryQueue();
  /** When the timer fires (monotonic). */
  let expiryAt = Infinity;
  let expiryTimer: NodeJS.Timeout | undefined;
  let isExpiring = false;
  /** Until then (monotonic) nothing is removed, because that has just failed. */
  let pausedUntil = -Infinity;
  /** The leases that the open commit group has changed: what a failure concerns. */
  const touched = new Set<string>();
  let sleepTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Reads what the failed writes have changed from the data file again. */
  function undo(): void {
    for (const posReference of touched) {
      const known = held.get(posReference);
      forget(posReference);
      const row = store.get(posReference);
      if (row !== null) take(row, known);
    }
  }

  /** Takes a lease over from the data file; `known` is what the book had of that order. */
  function take(row: LeaseRow, known: HeldLease | undefined): void {
    // Left by a hub that let an order be opened after it was paid.
    if (whyFinished(row.posReference) !== null) return;
    if (known?.leaseId === row.leaseId) {
      // A renewal whose commit failed still happened: its holder is there, and the full disk is not to blame it.
      keep({ ...known, role: row.role });
      return;
    }
    const remainingMs = Math.min(ttlMs, row.expiresAt - time.now());
    const expiresAt = clock.now() + remainingMs;
    keep({ ...row, expiresAt, endsAt: clock.monotonic() + remainingMs, graceEndsAt: null });
  }

  function keep(lease: HeldLease): void {
    forget(lease.posReference);
    held.set(lease.posReference, lease);
    const own = heldBy.get(lease.terminalId) ?? new Map<string, HeldLease>();
    heldBy.set(lease.terminalId, own.set(lease.posReference, lease));
    awaitEnd(lease);
  }

  function forget(posReference: string): void {
    const lease = held.get(posReference);
    if (lease === undefined) return;
    held.delete(posReference);
    const own = heldBy.get(lease.terminalId);
    own?.delete(posReference);
    if (own?.size === 0) heldBy.delete(lease.terminalId);
  }

  function ownOf(terminalId: string): HeldLease[] {
    return [...(heldBy.get(terminalId)?.values() ?? [])];
  }

  function end(lease: HeldLease): number {
    return lease.graceEndsAt === null ? lease.endsAt : Math.min(lease.endsAt, lease.graceEndsAt);
  }

  function current(posReference: string): HeldLease | undefined {
    const lease = held.get(posReference);
    return lease !== undefined && end(lease) > clock.monotonic() ? lease : undefined;
  }

  function put(tx: Tx, lease: Omit<HeldLease, "endsAt" | "graceEndsAt" | "expiresAt">): HeldLease {
    const next: HeldLease = {
      ...lease,
      expiresAt: tx.now + ttlMs,
      endsAt: clock.monotonic() + ttlMs,
      graceEndsAt: null,
    };
    const { endsAt: _, graceEndsAt: __, ...row } = next;
    touched.add(lease.posReference);
    // The file has the end by a time that does not jump.
    store.save({ ...row, expiresAt: time.now() + ttlMs });
    keep(next);
    return next;
  }

  function drop(tx: Tx, posReference: string, by: string): void {
    touched.add(posReference);
    store.remove(posReference);
    forget(posReference);
    tx.emit({ kind: "lease.changed", posReference, holder: null, by });
  }

  function awaitEnd(lease: HeldLease): void {
    ends.put(lease.posReference, end(lease));
    setTimer();
  }

  function setTimer(): void {
    const at = Math.max(ends.firstAt(), pausedUntil);
    if (stopped || isExpiring || at === expiryAt) return;
    timers.clearTimeout(expiryTimer);
    expiryAt = at;
    if (at === Infinity) return;
    expiryTimer = timers.setTimeout(() => void expire(), Math.max(1, Math.ceil(at - clock.monotonic())));
  }

  async function expire(): Promise<void> {
    expiryAt = Infinity;
    isExpiring = true;
    const due = ends.takeUntil(clock.monotonic()).filter((posReference) => !isPutBack(posReference));
    try {
      if (due.length > 0) {
        await changes.write((tx) => {
          for (const posReference of due) if (!isPutBack(posReference)) drop(tx, posReference, "hub");
        });
      }
    } catch (error) {
      world.log.error({ err: error }, "ended leases could not be removed");
      pausedUntil = clock.monotonic() + FAILED_WAIT_MS;
      for (const lease of due.flatMap((posReference) => held.get(posReference) ?? [])) awaitEnd(lease);
    }
    isExpiring = false;
    setTimer();
  }

  /** Whether a lease is not to be removed: it was released, or goes on and its end is awaited again. */
  function isPutBack(posReference: string): boolean {
    const lease = held.get(posReference);
    if (lease === undefined) return true;
    if (end(lease) <= clock.monotonic()) return false;
    ends.put(posReference, end(lease));
    return true;
  }

  /** Refuses what no lease is given for. */
  function requireLeasable({ posReference, isNew }: LeaseRequest): void {
    const refusal = whyFinished(posReference);
    if (refusal !== null) throw refusal;
    if (isKnown(posReference)) return;
    if (!isNew) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
    if (posReference.startsWith(EXTERNAL_REFERENCE_PREFIX)) {
      throw new HubError(
        "VALIDATION_ERROR",
        `posReference: ${EXTERNAL_REFERENCE_PREFIX} is reserved for orders made by the hub`,
      );
    }
  }

  /** Refuses one lease more than a terminal may hold. */
  function requireRoom(terminalId: string): void {
    const inForce = ownOf(terminalId).filter((lease) => end(lease) > clock.monotonic());
    if (inForce.length < terminalLimits.leasesPerTerminal) return;
    throw new HubError("LIMIT_REACHED", `a terminal holds at most ${terminalLimits.leasesPerTerminal} leases`);
  }

  function watchForSleep(): void {
    let monotonic = clock.monotonic();
    let uptime = clock.uptime() * 1000;
    const tick = (): void => {
      const sinceTick = clock.monotonic() - monotonic;
      const sinceUptime = clock.uptime() * 1000 - uptime;
      if (Math.max(sinceTick, sinceUptime) > SLEEP_TICK_MS + SLEPT_MS) giveFreshGrace();
      monotonic = clock.monotonic();
      uptime = clock.uptime() * 1000;
      sleepTimer = timers.setTimeout(tick, SLEEP_TICK_MS);
    };
    sleepTimer = timers.setTimeout(tick, SLEEP_TICK_MS);
  }

  function giveFreshGrace(): void {
    const until = clock.monotonic() + graceMs;
    for (const lease of held.values()) {
      lease.endsAt = Math.max(lease.endsAt, until);
      if (lease.graceEndsAt !== null) lease.graceEndsAt = Math.max(lease.graceEndsAt, until);
    }
    world.log.info({ leases: held.size }, "the machine slept: every lease gets a fresh grace");
  }

  return {
    start(): void {
      changes.addUndoListener(undo);
      changes.addListener(() => touched.clear());
      for (const row of store.all()) take(row, undefined);
      watchForSleep();
    },
    stop(): void {
      stopped = true;
      timers.clearTimeout(expiryTimer);
      timers.clearTimeout(sleepTimer);
    },
    /** The machine woke up: what was held before it slept is held for one more grace. */
    giveFreshGrace,

    /**
     * Grants, renews, moves or denies; a denial changes nothing. Throws a HubError for an order that is finished or not
     * there, and for one lease more than a terminal may hold.
     */
    async acquire(request: LeaseRequest): Promise<LeaseAnswer> {
      return changes.write((tx): LeaseAnswer => {
        const { posReference, terminalId, userName, role } = request;
        requireLeasable(request);
        const lease = current(posReference);
        if (lease !== undefined && lease.terminalId !== terminalId && !request.takeover) {
          return { granted: false, holder: holderOf(lease) };
        }
        if (lease?.terminalId !== terminalId) requireRoom(terminalId);
        if (lease !== undefined && lease.terminalId !== terminalId) {
          tx.emit({ kind: "lease.revoked", posReference, from: lease.terminalId, by: { terminalId, userName } });
        }
        const leaseId = lease?.terminalId === terminalId ? lease.leaseId : world.random.uuid();
        const next = put(tx, { posReference, leaseId, terminalId, userName, role });
        const isNews = lease?.leaseId !== leaseId || lease.role !== role;
        if (isNews) tx.emit({ kind: "lease.changed", posReference, holder: holderOf(next), by: terminalId });
        return { granted: true, lease: presentLease(next), ttlMs };
      });
    },

    /** Frees the terminal's lease; someone else's lease, or a leaseId that is no longer current, stays as it is. */
    async release(posReference: string, terminalId: string, leaseId: string | undefined): Promise<void> {
      await changes.write((tx) => {
        const lease = held.get(posReference);
        if (lease === undefined || lease.terminalId !== terminalId) return;
        if (leaseId !== undefined && lease.leaseId !== leaseId) return;
        drop(tx, posReference, terminalId);
      });
    },

    /** Frees a lease whoever holds it, noted down by `note`, and tells the holder; false when nobody does. */
    async revoke(
      posReference: string,
      by: { terminalId: string; userName: string },
      note: (tx: Tx) => void = () => {},
    ): Promise<boolean> {
      return changes.write((tx) => {
        const lease = current(posReference);
        if (lease === undefined) return false;
        tx.emit({ kind: "lease.revoked", posReference, from: lease.terminalId, by });
        drop(tx, posReference, by.terminalId);
        note(tx);
        return true;
      });
    },

    /** Ends the lease of an order that is finished, inside the write that finishes it. */
    end(tx: Tx, posReference: string, by: string): void {
      if (held.has(posReference)) drop(tx, posReference, by);
    },

    /** Renews everything that a terminal holds. */
    async renewAll(terminalId: string): Promise<void> {
      if (!heldBy.has(terminalId)) return;
      await changes.write((tx) => {
        for (const lease of ownOf(terminalId)) if (end(lease) > clock.monotonic()) put(tx, lease);
      });
    },

    /** The same device is back: what it still holds stays its own. */
    connect(terminalId: string): void {
      for (const lease of ownOf(terminalId)) if (end(lease) > clock.monotonic()) lease.graceEndsAt = null;
    },

    /** From now on the grace runs. */
    disconnect(terminalId: string): void {
      for (const lease of ownOf(terminalId)) {
        lease.graceEndsAt = clock.monotonic() + graceMs;
        awaitEnd(lease);
      }
    },

    holderOtherThan(posReference: string, terminalId: string): LeaseHolder | null {
      const lease = current(posReference);
      return lease === undefined || lease.terminalId === terminalId ? null : holderOf(lease);
    },
    /** Who holds an order's lease, or null. */
    holder(posReference: string): LeaseHolder | null {
      const lease = current(posReference);
      return lease === undefined ? null : holderOf(lease);
    },
    /** The leases in force of one terminal. */
    of: (terminalId: string): Lease[] =>
      ownOf(terminalId)
        .filter((lease) => end(lease) > clock.monotonic())
        .map(presentLease),
    /** Every lease in force. */
    list: (): Lease[] => [...held.keys()].flatMap((key) => current(key) ?? []).map(presentLease),
    count: (): number => [...held.keys()].filter((key) => current(key) !== undefined).length,
  };
}

function holderOf(lease: HeldLease): LeaseHolder {
  const { terminalId, userName, role, expiresAt } = lease;
  return { terminalId, userName, role, expiresAt: isoTime(expiresAt) };
}

function presentLease(lease: HeldLease): Lease {
  return { posReference: lease.posReference, leaseId: lease.leaseId, ...holderOf(lease) };
}
