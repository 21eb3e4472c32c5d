import type { Lease, LeaseHolder, LeaseRole } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { HubError } from "../errors.ts";
import type { TrustedTime } from "../trusted-time.ts";
import { isoTime, type World } from "../world.ts";
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
  whyNoLease: (posReference: string) => HubError | null;
  ttlMs: number;
  graceMs: number;
}) {
  const { world, time, changes, store, whyNoLease, ttlMs, graceMs } = deps;
  const { clock, timers } = world;
  const held = new Map<string, HeldLease>();
  let expiryTimer: NodeJS.Timeout | undefined;
  let sleepTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Reads the book from the data file: at the start, and after a commit that failed. */
  function reload(): void {
    const before = new Map(held);
    held.clear();
    for (const row of store.all()) {
      // Left by a hub that let an order be opened after it was paid.
      if (whyNoLease(row.posReference) !== null) continue;
      const known = before.get(row.posReference);
      if (known?.leaseId === row.leaseId) {
        // A renewal whose commit failed still happened: its holder is there, and the full disk is not to blame it.
        held.set(row.posReference, { ...known, role: row.role });
        continue;
      }
      const remainingMs = Math.min(ttlMs, row.expiresAt - time.now());
      const expiresAt = clock.now() + remainingMs;
      held.set(row.posReference, { ...row, expiresAt, endsAt: clock.monotonic() + remainingMs, graceEndsAt: null });
    }
    scheduleExpiry();
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
    // The file has the end by a time that does not jump.
    store.save({ ...row, expiresAt: time.now() + ttlMs });
    held.set(next.posReference, next);
    scheduleExpiry();
    return next;
  }

  function drop(tx: Tx, posReference: string, by: string): void {
    store.remove(posReference);
    held.delete(posReference);
    tx.emit({ kind: "lease.changed", posReference, holder: null, by });
  }

  function scheduleExpiry(leastMs = 1): void {
    timers.clearTimeout(expiryTimer);
    if (stopped || held.size === 0) return;
    const next = Math.min(...[...held.values()].map(end));
    expiryTimer = timers.setTimeout(() => void expire(), Math.max(leastMs, Math.ceil(next - clock.monotonic())));
  }

  async function expire(): Promise<void> {
    try {
      await changes.write((tx) => {
        for (const lease of held.values()) {
          if (end(lease) <= clock.monotonic()) drop(tx, lease.posReference, "hub");
        }
      });
    } catch (error) {
      world.log.error({ err: error }, "ended leases could not be removed");
      scheduleExpiry(FAILED_WAIT_MS);
      return;
    }
    scheduleExpiry();
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
    scheduleExpiry();
    world.log.info({ leases: held.size }, "the machine slept: every lease gets a fresh grace");
  }

  return {
    start(): void {
      changes.addUndoListener(reload);
      reload();
      watchForSleep();
    },
    stop(): void {
      stopped = true;
      timers.clearTimeout(expiryTimer);
      timers.clearTimeout(sleepTimer);
    },
    /** The machine woke up: what was held before it slept is held for one more grace. */
    giveFreshGrace,

    /** Grants, renews, moves or denies; a denial changes nothing. Throws a HubError for an order that is finished. */
    async acquire(request: LeaseRequest): Promise<LeaseAnswer> {
      return changes.write((tx): LeaseAnswer => {
        const { posReference, terminalId, userName, role } = request;
        const refusal = whyNoLease(posReference);
        if (refusal !== null) throw refusal;
        const lease = current(posReference);
        if (lease !== undefined && lease.terminalId !== terminalId && !request.takeover) {
          return { granted: false, holder: holderOf(lease) };
        }
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
      scheduleExpiry();
    },

    /** Frees a lease whoever holds it, noted down by `note`, and tells the holder; false when nobody does. */
    async revoke(
      posReference: string,
      by: { terminalId: string; userName: string },
      note: (tx: Tx) => void = () => {},
    ): Promise<boolean> {
      const revoked = await changes.write((tx) => {
        const lease = current(posReference);
        if (lease === undefined) return false;
        tx.emit({ kind: "lease.revoked", posReference, from: lease.terminalId, by });
        drop(tx, posReference, by.terminalId);
        note(tx);
        return true;
      });
      scheduleExpiry();
      return revoked;
    },

    /** Ends the lease of an order that is finished, inside the write that finishes it. */
    end(tx: Tx, posReference: string, by: string): void {
      if (held.has(posReference)) drop(tx, posReference, by);
    },

    /** Renews everything that a terminal holds. */
    async renewAll(terminalId: string): Promise<void> {
      const own = [...held.values()].filter((lease) => lease.terminalId === terminalId);
      if (own.length === 0) return;
      await changes.write((tx) => {
        for (const { posReference } of own) {
          const lease = current(posReference);
          if (lease?.terminalId === terminalId) put(tx, lease);
        }
      });
    },

    /** The same device is back: what it still holds stays its own. */
    connect(terminalId: string): void {
      for (const lease of held.values()) {
        if (lease.terminalId === terminalId && end(lease) > clock.monotonic()) lease.graceEndsAt = null;
      }
      scheduleExpiry();
    },

    /** From now on the grace runs. */
    disconnect(terminalId: string): void {
      for (const lease of held.values()) {
        if (lease.terminalId === terminalId) lease.graceEndsAt = clock.monotonic() + graceMs;
      }
      scheduleExpiry();
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
