import { type ForwardState, isActive, type StoredOrder } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { freeze } from "../../platform/freeze.ts";

/** A stored order and its forward state. */
export interface CachedOrder {
  order: StoredOrder;
  forward: ForwardState;
}

export type WorkingSet = ReturnType<typeof createWorkingSet>;

/**
 * Caches active orders, so that writes do not read and parse them again. An order is read on first use and updated when it is
 * stored; it is dropped when its write is undone. Orders are frozen, because all callers share them.
 */
export function createWorkingSet(read: (posReference: string) => CachedOrder | null) {
  const cache = new Map<string, CachedOrder>();

  function keep(posReference: string, found: CachedOrder): CachedOrder {
    // A body with the right checksum may still not be an order.
    const { snapshot }: Partial<StoredOrder> = found.order;
    if (snapshot !== undefined && isActive(snapshot.status)) cache.set(posReference, freeze(found));
    else cache.delete(posReference);
    return found;
  }

  return {
    /** The order if it is cached. */
    cached: (posReference: string): CachedOrder | null => cache.get(posReference) ?? null,
    /** Caches an order that was read elsewhere, if it is active. */
    keep,
    get(posReference: string): CachedOrder | null {
      const cached = cache.get(posReference);
      if (cached !== undefined) return cached;
      const found = read(posReference);
      return found === null ? null : keep(posReference, found);
    },
    stored(tx: Tx, order: StoredOrder, forward: ForwardState): void {
      keep(order.posReference, { order, forward });
      tx.onUndo(() => cache.delete(order.posReference));
    },
    removed(tx: Tx, posReference: string): void {
      cache.delete(posReference);
      // The order may have been read again before the undo.
      tx.onUndo(() => cache.delete(posReference));
    },
  };
}
