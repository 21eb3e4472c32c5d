import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { createHeldLeases, type HeldLease } from "./held-leases.ts";
import type { LeaseRow, LeaseStore } from "./lease-store.ts";

/** How long a removal that could not be stored waits for the next attempt. */
const FAILED_WAIT_MS = 5000;

/** The leases in memory and in the data file, changed together. Those that end are removed. */
export function createLeaseWrites(deps: {
  world: World;
  time: Pick<TrustedTime, "now">;
  changes: ChangeLog;
  store: LeaseStore;
  ttlMs: number;
}) {
  const { world, time, store, ttlMs } = deps;
  const { clock } = world;
  const held = createHeldLeases(world, removeSoon);
  /** Orders whose lease has ended and is still to be removed. */
  const ended = new Set<string>();

  /** Holds a lease of the data file. */
  function load(row: LeaseRow): void {
    const remainingMs = Math.min(ttlMs, row.expiresAt - time.now());
    const expiresAt = clock.now() + remainingMs;
    held.set({ ...row, expiresAt, endsAt: clock.monotonic() + remainingMs, graceEndsAt: null });
  }

  /** If its write fails, the order's lease is again what it was. The file is not asked: it may be what fails. */
  function restoreIfUndone(tx: Tx, posReference: string): void {
    const before = held.get(posReference);
    tx.onUndo(() => {
      const now = held.get(posReference);
      if (before === undefined) held.remove(posReference);
      // A renewal counts although its commit failed: the holder is there and must not lose the lease over a full disk.
      else held.set(now?.leaseId === before.leaseId ? { ...now, role: before.role } : before);
    });
  }

  function put(tx: Tx, lease: Omit<HeldLease, "endsAt" | "graceEndsAt" | "expiresAt">): HeldLease {
    const { posReference, leaseId, terminalId, userName, role } = lease;
    const row = { posReference, leaseId, terminalId, userName, role };
    restoreIfUndone(tx, posReference);
    // The file has the end by a time that does not jump.
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

  /** Leases that end together are removed in one write. */
  function removeSoon(posReference: string): void {
    if (ended.size === 0) world.timers.setImmediate(() => void removeEnded());
    ended.add(posReference);
  }

  async function removeEnded(): Promise<void> {
    const due = [...ended];
    ended.clear();
    // Empty when the hub has stopped meanwhile.
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
    put,
    drop,
    stop(): void {
      held.stop();
      ended.clear();
    },
  };
}
