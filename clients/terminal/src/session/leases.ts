import type { HubMessageOf, Lease, LeaseHolder, LeaseRole, TerminalMessageInput } from "@comanda/protocol";
import { LeaseDeniedError, TerminalRefusal } from "../refusal.ts";
import { throwIfError, type Requests } from "./requests.ts";

/** A lease of this terminal. */
export type OwnLease = Omit<Lease, "terminalId" | "userName">;
export type LostTo = Pick<LeaseHolder, "terminalId" | "userName"> | null;

export interface AcquireOptions {
  role?: LeaseRole;
  takeover?: boolean;
  approval?: string | undefined;
}

export type Leases = ReturnType<typeof createLeases>;

type KeptLease = Pick<Lease, "posReference" | "leaseId" | "role">;

/** The leases of all terminals as this one knows them, and which of its own the application keeps. */
export function createLeases(deps: {
  deviceId: string;
  requests: Requests;
  /** Who acts here: their name, and the token that proves it. */
  userName: () => string;
  actor: () => string | undefined;
  /** The hub's time in ms since 1970. */
  now: () => number;
  isOnHub: (posReference: string) => boolean;
  events: {
    granted: () => void;
    changed: (posReference: string, holder: LeaseHolder | null) => void;
    /** A kept lease is another terminal's now, or nobody's. */
    lost: (posReference: string, by: LostTo) => void;
  };
}) {
  const { deviceId, requests, events } = deps;
  const holders = new Map<string, LeaseHolder>();
  const kept = new Map<string, KeptLease>();

  return {
    acquire,
    async release(posReference: string): Promise<void> {
      const leaseId = kept.get(posReference)?.leaseId;
      kept.delete(posReference);
      // The hub tells the others only.
      if (holders.get(posReference)?.terminalId === deviceId) set(posReference, null);
      throwIfError(await requests.send({ type: "LEASE_RELEASE", posReference, leaseId }, "lease release timed out"));
    },
    isAnyKept: () => kept.size > 0,
    /**
     * Who holds it, or null. The hub reports when another terminal's lease ends but not its renewals, so `expiresAt`
     * counts only for this terminal's own.
     */
    holder(posReference: string): LeaseHolder | null {
      const holder = holders.get(posReference);
      if (holder === undefined) return null;
      return holder.terminalId === deviceId && Date.parse(holder.expiresAt) <= deps.now() ? null : holder;
    },
    changed(posReference: string, holder: LeaseHolder | null): void {
      set(posReference, holder);
      if (!kept.has(posReference) || holder?.terminalId === deviceId) return;
      lose(posReference, holder);
    },
    revoked: lose,
    /** A SYNC brought the whole list; answers the kept leases that this terminal no longer holds. */
    replaced(leases: readonly Lease[]): KeptLease[] {
      const before = [...holders.keys()];
      holders.clear();
      for (const { posReference, leaseId: _, ...holder } of leases) set(posReference, holder);
      for (const posReference of before) if (!holders.has(posReference)) set(posReference, null);
      return [...kept.values()].filter(({ posReference }) => holders.get(posReference)?.terminalId !== deviceId);
    },
    /** Acquires a kept lease again that ended while this terminal was away, unless another terminal has it. */
    async reacquire({ posReference, role }: KeptLease): Promise<void> {
      if (!kept.has(posReference)) return;
      try {
        await acquire(posReference, { role });
      } catch (error) {
        lose(posReference, error instanceof LeaseDeniedError ? error.holder : null);
      }
    },
    /** The hub answered a heartbeat, which renews all leases of this terminal. */
    renewed(expiresAt: string): void {
      for (const [posReference, holder] of holders) {
        if (holder.terminalId === deviceId) holders.set(posReference, { ...holder, expiresAt });
      }
    },
  };

  function set(posReference: string, holder: LeaseHolder | null): void {
    if (holder === null) holders.delete(posReference);
    else holders.set(posReference, holder);
    events.changed(posReference, holder);
  }

  /**
   * Rejects with LeaseDeniedError, or with RequestTimedOutError after 10 s. Kept until released or lost. `approval` is the
   * token of a second person, where only they may take over.
   */
  async function acquire(posReference: string, options: AcquireOptions = {}): Promise<OwnLease> {
    const message: TerminalMessageInput = {
      type: "LEASE_ACQUIRE",
      posReference,
      actor: deps.actor(),
      ...options,
      ...(deps.isOnHub(posReference) ? {} : { new: true }),
    };
    const answer = throwIfError(await requests.send(message, "lease request timed out"));
    if (answer.type === "LEASE_DENIED") throw new LeaseDeniedError(answer.errorCode, answer.error, answer.holder);
    if (answer.type !== "LEASE_GRANTED") throw new TerminalRefusal("INTERNAL_ERROR", `answered with ${answer.type}`);
    keep(answer);
    const { leaseId, role: granted, expiresAt } = answer;
    return { posReference, leaseId, role: granted, expiresAt };
  }

  function keep({ posReference, leaseId, role, expiresAt }: HubMessageOf<"LEASE_GRANTED">): void {
    kept.set(posReference, { posReference, role, leaseId });
    set(posReference, { terminalId: deviceId, userName: deps.userName(), role, expiresAt });
    events.granted();
  }

  function lose(posReference: string, by: LostTo): void {
    kept.delete(posReference);
    events.lost(posReference, by);
  }
}
