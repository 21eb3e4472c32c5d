import { isLocked, type StoredOrder } from "@comanda/protocol";
import type { Change } from "../changes/change.ts";

/** More than a full house has open; above it the ones that rested longest are read from the data file again. */
const MOST = 500;

/**
 * Orders as they were last made durable, so that the next edit need not read and parse them again. Only commits put an
 * order here and every write takes it out, so what an undone write left is never seen. Nobody may change what they get.
 */
export function createRecentOrders() {
  const byReference = new Map<string, StoredOrder>();
  return {
    get: (posReference: string): StoredOrder | undefined => byReference.get(posReference),
    forget: (posReference: string): void => void byReference.delete(posReference),

    /** Takes in what a commit made durable. */
    note(changes: readonly Change[]): void {
      for (const change of changes) {
        if (change.kind === "order.removed") byReference.delete(change.posReference);
        if (change.kind !== "order.stored") continue;
        const { order } = change;
        // Taken out first: a map keeps the order of first insertion.
        byReference.delete(order.posReference);
        // What takes no more changes is not asked for soon, and of many that are opened at once few are.
        if (!isLocked(order.snapshot.status) && change.event !== "created") byReference.set(order.posReference, order);
      }
      for (const oldest of byReference.keys()) {
        if (byReference.size <= MOST) break;
        byReference.delete(oldest);
      }
    },
  };
}
