import type { HubMessageOf, Lease, LeaseHolder, LeaseRole, TerminalMessageInput } from "@comanda/protocol";
import { LeaseDeniedError, TerminalRefusal } from "../refusal.ts";
import { throwIfError, type Requests } from "./requests.ts";

export type OwnLease = Omit<Lease, "terminalId" | "userName">;
export type LostTo = Pick<LeaseHolder, "terminalId" | "userName"> | null;

export interface AcquireOptions {
  role?: LeaseRole;
  takeover?: boolean;
  approval?: string | undefined;
}

export type Leases = ReturnType<typeof createLeases>;

type ClientLease = Pick<Lease, "posReference" | "leaseId" | "role">;

interface LeasesDeps {
  deviceId: string;
  requests: Requests;
  /** Name and token of the acting person. */
  userName: () => string;
  actor: () => string | undefined;
  /** The hub's time in ms since 1970. */
  now: () => number;
  events: {
    granted: () => void;
    changed: (posReference: string, holder: LeaseHolder | null) => void;
    /** A kept lease was lost, to another terminal or (null) to none. */
    lost: (posReference: string, by: LostTo) => void;
  };
}

/** The known leases of all terminals, and those that the application keeps on this one. */
export function createLeases(deps: LeasesDeps) {
  const { deviceId, requests, events } = deps;
  const holders = new Map<string, LeaseHolder>();
  const own = new Map<string, ClientLease>();
  /** Unanswered lease requests, and whether the lease was released in the meantime. */
  const asking = new Set<{ posReference: string; isLetGo: boolean }>();

  return {
    acquire,
    release,
    hasAny: () => own.size > 0,
    /**
     * Returns the holder, or null. The hub reports when another terminal's lease ends but not its renewals, so `expiresAt`
     * applies only to this terminal's own leases.
     */
    holder(posReference: string): LeaseHolder | null {
      const holder = holders.get(posReference);
      if (holder === undefined) return null;
      return holder.terminalId === deviceId && Date.parse(holder.expiresAt) <= deps.now() ? null : holder;
    },
    changed(posReference: string, holder: LeaseHolder | null): void {
      set(posReference, holder);
      if (!own.has(posReference) || holder?.terminalId === deviceId) return;
      lose(posReference, holder);
    },
    revoked: lose,
    /** Replaces the list with that of a SYNC. */
    replaced(leases: readonly Lease[]): void {
      const others = leases.filter(({ terminalId, posReference }) => terminalId !== deviceId || own.has(posReference));
      const before = [...holders.keys()];
      holders.clear();
      for (const { posReference, leaseId: _, ...holder } of others) set(posReference, holder);
      for (const posReference of before) if (!holders.has(posReference)) set(posReference, null);
    },
    /**
     * Aligns the hub's leases with the kept ones, after a SYNC with `leases`. Releases leases that the hub still has from
     * before a restart or a lost release, and acquires kept ones again that have expired.
     */
    resume(leases: readonly Lease[]): void {
      for (const { terminalId, posReference } of leases) {
        const isStray = terminalId === deviceId && !own.has(posReference) && !isRequested(posReference);
        if (isStray) release(posReference).catch(() => {});
      }
      for (const lease of own.values()) {
        if (holders.get(lease.posReference)?.terminalId !== deviceId) void reacquire(lease);
      }
    },
    /** Extends the leases of this terminal, which a heartbeat renews on the hub. */
    renewed(expiresAt: string): void {
      for (const [posReference, holder] of holders) {
        if (holder.terminalId === deviceId) holders.set(posReference, { ...holder, expiresAt });
      }
    },
  };

  function isRequested(posReference: string): boolean {
    return [...asking].some((request) => request.posReference === posReference);
  }

  function set(posReference: string, holder: LeaseHolder | null): void {
    if (holder === null) holders.delete(posReference);
    else holders.set(posReference, holder);
    events.changed(posReference, holder);
  }

  async function release(posReference: string): Promise<void> {
    const leaseId = own.get(posReference)?.leaseId;
    own.delete(posReference);
    for (const request of asking) request.isLetGo ||= request.posReference === posReference;
    // The hub notifies other terminals only.
    if (holders.get(posReference)?.terminalId === deviceId) set(posReference, null);
    throwIfError(await requests.send({ type: "LEASE_RELEASE", posReference, leaseId }, "lease release timed out"));
  }

  /** Acquires a kept lease again that expired while this terminal was offline, unless another terminal has it. */
  async function reacquire({ posReference, role }: ClientLease): Promise<void> {
    try {
      await acquire(posReference, { role });
    } catch (error) {
      lose(posReference, error instanceof LeaseDeniedError ? error.holder : null);
    }
  }

  /**
   * Acquires a lease, which is kept until released or lost. Rejects with LeaseDeniedError, or with RequestTimedOutError after
   * 10 s. `approval` is the token of a second person whose rights are needed for a takeover.
   */
  async function acquire(posReference: string, options: AcquireOptions = {}): Promise<OwnLease> {
    const message: TerminalMessageInput = {
      type: "LEASE_ACQUIRE",
      posReference,
      actor: deps.actor(),
      ...options,
    };
    const request = { posReference, isLetGo: false };
    asking.add(request);
    const sent = requests.send(message, "lease request timed out", (answer) => {
      asking.delete(request);
      if (answer.type === "LEASE_GRANTED" && !request.isLetGo) keep(answer);
    });
    const answer = throwIfError(await sent.finally(() => asking.delete(request)));
    if (answer.type === "LEASE_DENIED") throw new LeaseDeniedError(answer.errorCode, answer.error, answer.holder);
    if (answer.type !== "LEASE_GRANTED") throw new TerminalRefusal("INTERNAL_ERROR", `answered with ${answer.type}`);
    if (request.isLetGo && !own.has(posReference) && !isRequested(posReference)) {
      // The former holder has lost it, and the hub may have processed the release before this grant.
      set(posReference, null);
      release(posReference).catch(() => {});
    }
    const { leaseId, role: granted, expiresAt } = answer;
    return { posReference, leaseId, role: granted, expiresAt };
  }

  function keep({ posReference, leaseId, role, expiresAt }: HubMessageOf<"LEASE_GRANTED">): void {
    own.set(posReference, { posReference, role, leaseId });
    set(posReference, { terminalId: deviceId, userName: deps.userName(), role, expiresAt });
    events.granted();
  }

  function lose(posReference: string, by: LostTo): void {
    own.delete(posReference);
    events.lost(posReference, by);
  }
}
