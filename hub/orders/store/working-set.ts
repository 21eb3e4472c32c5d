import { type ForwardState, isActive, type StoredOrder } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { freeze } from "../../platform/freeze.ts";

/** An order as it is stored, and where it stands on its way to the back-office. */
export interface KeptOrder {
  order: StoredOrder;
  forward: ForwardState;
}

export type WorkingSet = ReturnType<typeof createWorkingSet>;

/**
 * The active orders as they are stored, so that no write reads and parses what is open. Each is read when it is first asked
 * for and follows what is stored; what a write has stored is forgotten with it if it is undone. Frozen: everybody shares them.
 */
export function createWorkingSet(read: (posReference: string) => KeptOrder | null) {
  const kept = new Map<string, KeptOrder>();

  function keep(posReference: string, found: KeptOrder): KeptOrder {
    // A body whose checksum is right may still be no order.
    const { snapshot }: Partial<StoredOrder> = found.order;
    if (snapshot !== undefined && isActive(snapshot.status)) kept.set(posReference, freeze(found));
    else kept.delete(posReference);
    return found;
  }

  return {
    /** What is in memory. */
    known: (posReference: string): KeptOrder | null => kept.get(posReference) ?? null,
    /** What was read elsewhere, if it is active. */
    keep,
    get(posReference: string): KeptOrder | null {
      const known = kept.get(posReference);
      if (known !== undefined) return known;
      const found = read(posReference);
      return found === null ? null : keep(posReference, found);
    },
    stored(tx: Tx, order: StoredOrder, forward: ForwardState): void {
      keep(order.posReference, { order, forward });
      tx.onUndo(() => kept.delete(order.posReference));
    },
    removed(tx: Tx, posReference: string): void {
      kept.delete(posReference);
      // Somebody may have asked for it meanwhile.
      tx.onUndo(() => kept.delete(posReference));
    },
  };
}
