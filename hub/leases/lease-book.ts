import { EXTERNAL_REFERENCE_PREFIX, hubLimits, type Lease, type LeaseHolder, type LeaseRole } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { HeldLease, HeldLeases } from "./held-leases.ts";
import { createLeaseGraces } from "./lease-graces.ts";
import type { LeaseStore } from "./lease-store.ts";
import { createLeaseWrites } from "./lease-writes.ts";
import { createSleepWatch } from "./sleep-watch.ts";

export interface LeaseRequest {
  posReference: string;
  terminalId: string;
  userName: string;
  role: LeaseRole;
  /** Takes the lease from its holder. The caller has checked that a manager requests it. */
  takeover: boolean;
}

export type LeaseAnswer = { granted: true; lease: Lease; ttlMs: number } | { granted: false; holder: LeaseHolder };

interface LeaseDeps {
  world: World;
  time: Pick<TrustedTime, "now">;
  changes: ChangeLog;
  store: LeaseStore;
  /** Why an order can no longer be changed; null if it can, or is unknown. */
  whyFinished: (posReference: string) => HubError | null;
  /** Whether the hub has this order. */
  isKnown: (posReference: string) => boolean;
  ttlMs: number;
  graceMs: number;
}

export type LeaseBook = ReturnType<typeof createLeaseBook>;

/** Manages leases: who may edit which order. Every change is durable before it is answered. */
export function createLeaseBook(deps: LeaseDeps) {
  const { world, time, changes, store, ttlMs, graceMs } = deps;
  const { held, load, write, drop, stop } = createLeaseWrites({ world, time, changes, store, ttlMs });
  const graces = createLeaseGraces(world, held, graceMs);
  const sleepWatch = createSleepWatch(world, graces.giveFreshGrace);

  return {
    start(): void {
      for (const row of store.list()) load(row);
      sleepWatch.start();
    },
    stop(): void {
      stop();
      sleepWatch.stop();
    },
    giveFreshGrace: graces.giveFreshGrace,

    /**
     * Grants, renews, moves or denies a lease; a denial changes nothing. Throws a HubError for a finished order, or if the
     * terminal or user has too many leases. `note` runs in the same write if the lease is taken from another terminal.
     */
    async acquire(request: LeaseRequest, note: () => void = () => {}): Promise<LeaseAnswer> {
      return changes.write((tx): LeaseAnswer => {
        const { posReference, terminalId, userName, role } = request;
        requireLeasable(request, deps);
        const lease = held.current(posReference);
        if (lease !== undefined && lease.terminalId !== terminalId && !request.takeover) {
          return { granted: false, holder: holderOf(lease) };
        }
        if (lease?.terminalId !== terminalId) requireBelowLimit(request, held);
        if (lease !== undefined && lease.terminalId !== terminalId) {
          tx.emit({ kind: "lease.revoked", posReference, from: lease.terminalId, by: { terminalId, userName } });
          note();
        }
        const leaseId = lease?.terminalId === terminalId ? lease.leaseId : world.random.uuid();
        const next = write(tx, { posReference, leaseId, terminalId, userName, role });
        if (lease?.leaseId !== leaseId || lease.role !== role || lease.userName !== userName)
          tx.emit({ kind: "lease.changed", posReference, holder: holderOf(next), by: terminalId });
        return { granted: true, lease: presentLease(next), ttlMs };
      });
    },

    /** Releases the terminal's lease. Does nothing if another terminal holds it or `leaseId` is no longer current. */
    async release(posReference: string, terminalId: string, leaseId: string | undefined): Promise<void> {
      await changes.write((tx) => {
        const lease = held.get(posReference);
        if (lease === undefined || lease.terminalId !== terminalId) return;
        if (leaseId !== undefined && lease.leaseId !== leaseId) return;
        drop(tx, posReference, terminalId);
      });
    },

    /** Revokes a lease and notifies its holder; `note` runs in the same write. Returns false if there is no lease. */
    async revoke(
      posReference: string,
      by: { terminalId: string; userName: string },
      note: (tx: Tx) => void = () => {},
    ): Promise<boolean> {
      return changes.write((tx) => {
        const lease = held.current(posReference);
        if (lease === undefined) return false;
        tx.emit({ kind: "lease.revoked", posReference, from: lease.terminalId, by });
        drop(tx, posReference, by.terminalId);
        note(tx);
        return true;
      });
    },

    /** Ends the lease of an order inside the write that finishes the order. */
    end(tx: Tx, posReference: string, by: string): void {
      if (held.get(posReference) !== undefined) drop(tx, posReference, by);
    },

    async renewAll(terminalId: string): Promise<void> {
      if (held.listByTerminal(terminalId).length === 0) return;
      await changes.write((tx) => {
        for (const lease of held.listByTerminal(terminalId)) if (held.isInForce(lease)) write(tx, lease);
      });
    },

    connect: graces.connect,
    disconnect: graces.disconnect,

    holderOtherThan(posReference: string, terminalId: string): LeaseHolder | null {
      const lease = held.current(posReference);
      return lease === undefined || lease.terminalId === terminalId ? null : holderOf(lease);
    },
    holder(posReference: string): LeaseHolder | null {
      const lease = held.current(posReference);
      return lease === undefined ? null : holderOf(lease);
    },
    listByTerminal: (terminalId: string): Lease[] =>
      held.listByTerminal(terminalId).filter(held.isInForce).map(presentLease),
    list: (): Lease[] => held.list().filter(held.isInForce).map(presentLease),
    count: (): number => held.list().filter(held.isInForce).length,
  };
}

/** Throws for a finished order, and for an unknown order with the reserved reference prefix. */
function requireLeasable(
  { posReference }: LeaseRequest,
  { whyFinished, isKnown }: Pick<LeaseDeps, "whyFinished" | "isKnown">,
): void {
  const refusal = whyFinished(posReference);
  if (refusal !== null) throw refusal;
  if (posReference.startsWith(EXTERNAL_REFERENCE_PREFIX) && !isKnown(posReference)) {
    throw new HubError(
      "VALIDATION_ERROR",
      `posReference: ${EXTERNAL_REFERENCE_PREFIX} is reserved for orders made by the hub`,
    );
  }
}

function requireBelowLimit({ terminalId, userName }: LeaseRequest, held: HeldLeases): void {
  const { leasesPerTerminal, leasesPerUser } = hubLimits;
  if (held.listByTerminal(terminalId).filter(held.isInForce).length >= leasesPerTerminal) {
    throw new HubError("LIMIT_REACHED", `a terminal holds at most ${leasesPerTerminal} leases`);
  }
  if (held.countByUser(userName) < leasesPerUser) return;
  throw new HubError("LIMIT_REACHED", `the terminals of one user hold at most ${leasesPerUser} leases`);
}

function holderOf(lease: HeldLease): LeaseHolder {
  const { terminalId, userName, role, expiresAt } = lease;
  return { terminalId, userName, role, expiresAt: isoTime(expiresAt) };
}

function presentLease(lease: HeldLease): Lease {
  return { posReference: lease.posReference, leaseId: lease.leaseId, ...holderOf(lease) };
}
