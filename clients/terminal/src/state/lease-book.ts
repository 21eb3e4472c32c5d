import type { HubMessageOf, Lease, LeaseHolder } from "@comanda/protocol";

/** The leases of all terminals as this one knows them, and which of them the application wants to keep. */
export interface LeaseBook {
  granted(answer: HubMessageOf<"LEASE_GRANTED">, self: { terminalId: string; userName: string }): void;
  changed(posReference: string, holder: LeaseHolder | null): void;
  /** The whole list came anew; answers the references that this terminal wanted to keep and no longer holds. */
  replaced(leases: readonly Lease[], terminalId: string): string[];
  /** A heartbeat was answered: every lease of this terminal runs on. */
  renewed(terminalId: string, expiresAt: string): void;
  forget(posReference: string): void;
  kept(): { posReference: string; role: Lease["role"]; leaseId: string }[];
  /**
   * Who holds it at `now` (ms since 1970), or null. The hub tells when another's lease ends; its renewals it does not
   * tell, so `expiresAt` counts for our own only.
   */
  holder(posReference: string, self: string, now: number): LeaseHolder | null;
}

export function createLeaseBook(): LeaseBook {
  const holders = new Map<string, LeaseHolder>();
  const kept = new Map<string, { posReference: string; role: Lease["role"]; leaseId: string }>();
  return {
    granted({ posReference, leaseId, role, expiresAt }, self) {
      holders.set(posReference, { ...self, role, expiresAt });
      kept.set(posReference, { posReference, role, leaseId });
    },
    changed(posReference, holder) {
      if (holder === null) holders.delete(posReference);
      else holders.set(posReference, holder);
    },
    replaced(leases, terminalId) {
      holders.clear();
      for (const { posReference, terminalId: by, userName, role, expiresAt } of leases) {
        holders.set(posReference, { terminalId: by, userName, role, expiresAt });
      }
      return [...kept.keys()].filter((posReference) => holders.get(posReference)?.terminalId !== terminalId);
    },
    renewed(terminalId, expiresAt) {
      for (const [posReference, holder] of holders) {
        if (holder.terminalId === terminalId) holders.set(posReference, { ...holder, expiresAt });
      }
    },
    forget(posReference) {
      kept.delete(posReference);
    },
    kept: () => [...kept.values()],
    holder(posReference, self, now) {
      const holder = holders.get(posReference);
      if (holder === undefined) return null;
      return holder.terminalId === self && Date.parse(holder.expiresAt) <= now ? null : holder;
    },
  };
}
