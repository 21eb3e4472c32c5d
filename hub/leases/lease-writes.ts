import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { createHeldLeases, type HeldLease } from "./held-leases.ts";
import type { LeaseRow, LeaseStore } from "./lease-store.ts";

/** How long to wait before retrying a removal that could not be stored. */
const FAILED_WAIT_MS = 5000;

/** Changes leases in memory and in the data file together, and removes ended leases. */
export function createLeaseWrites(deps: {
  world: World;
  time: Pick<TrustedTime, "now">;
  changes: ChangeLog;
  store: LeaseStore;
  ttlMs: number;
}) {
  const { world, time, store, ttlMs } = deps;
  const { clock } = world;
  const held = createHeldLeases(world, scheduleRemoval);
  /** Orders whose lease has ended and must still be removed. */
  const ended = new Set<string>();

  /** Loads a lease from the data file. */
  function load(row: LeaseRow): void {
    const remainingMs = Math.min(ttlMs, row.expiresAt - time.now());
    const expiresAt = clock.now() + remainingMs;
    held.set({ ...row, expiresAt, endsAt: clock.monotonic() + remainingMs, graceEndsAt: null });
  }

  /** Restores the lease in memory if the write is undone. Does not read the data file, since it may have failed. */
  function restoreIfUndone(tx: Tx, posReference: string): void {
    const before = held.get(posReference);
    tx.onUndo(() => {
      const now = held.get(posReference);
      if (before === undefined) held.remove(posReference);
      // A renewal counts even if its commit failed: the connected holder must not lose the lease over a full disk.
      else
        held.set(now?.leaseId === before.leaseId ? { ...now, role: before.role, userName: before.userName } : before);
    });
  }

  function write(tx: Tx, lease: Omit<HeldLease, "endsAt" | "graceEndsAt" | "expiresAt">): HeldLease {
    const { posReference, leaseId, terminalId, userName, role } = lease;
    const row = { posReference, leaseId, terminalId, userName, role };
    restoreIfUndone(tx, posReference);
    // Stored in trusted time, which does not jump.
    store.save({ ...row, expiresAt: time.now() + ttlMs });
    const next = { ...row, expiresAt: tx.now + ttlMs, endsAt: clock.monotonic() + ttlMs, graceEndsAt: null };
    held.set(next);
    return next;
  }

  function drop(tx: Tx, posReference: string, by: string): void {
    restoreIfUndone(tx, posReference);
    store.remove(posReference);
    held.remove(posReference);
    tx.emit({ kind: "lease.changed", posReference, holder: null, by });
  }

  /** Schedules the removal of an ended lease. Leases that end together are removed in one write. */
  function scheduleRemoval(posReference: string): void {
    if (ended.size === 0) world.timers.setImmediate(() => void removeEnded());
    ended.add(posReference);
  }

  async function removeEnded(): Promise<void> {
    const due = [...ended];
    ended.clear();
    // Empty if the hub was stopped in the meantime.
    if (due.length === 0) return;
    const isWritten = await writeOrLog(deps, "ended leases could not be removed", (tx) => {
      for (const posReference of due) {
        const lease = held.get(posReference);
        if (lease !== undefined && !held.isInForce(lease)) drop(tx, posReference, "hub");
      }
    });
    if (!isWritten) for (const posReference of due) held.retryEnd(posReference, FAILED_WAIT_MS);
  }

  return {
    held,
    load,
    write,
    drop,
    stop(): void {
      held.stop();
      ended.clear();
    },
  };
}
