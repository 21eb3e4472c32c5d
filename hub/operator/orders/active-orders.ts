import { isActive, type StoredOrder } from "@comanda/protocol";
import type { Listener } from "../../changes/change.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { tablesOf } from "@comanda/rules";
import type { World } from "../../platform/world.ts";

export type ActiveOrders = ReturnType<typeof createActiveOrders>;

/** Unread for so long, the orders are dropped from memory. */
const KEPT_MS = 60_000;

/**
 * The unpaid orders. While screens read them they are kept in memory and follow each commit, so that counting them
 * needs no read of the data file; with no screen open they cost nothing.
 */
export function createActiveOrders(world: World, changes: ChangeLog, orders: OrderStore) {
  let kept: Map<string, StoredOrder> | null = null;
  let readAt = 0;

  function all(): Map<string, StoredOrder> {
    readAt = world.clock.monotonic();
    return (kept ??= read());
  }

  function read(): Map<string, StoredOrder> {
    const byReference = new Map<string, StoredOrder>();
    for (const { posReference } of orders.activeHeads()) {
      const order = orders.shown(posReference);
      if (order !== null) byReference.set(posReference, order);
    }
    return byReference;
  }

  // It may have been read amid writes that were undone.
  changes.addUndoListener(() => (kept = null));

  return {
    follow: ((group) => {
      if (world.clock.monotonic() - readAt > KEPT_MS) kept = null;
      const byReference = kept;
      if (byReference === null) return;
      for (const change of group) {
        if (change.kind === "order.removed") byReference.delete(change.posReference);
        if (change.kind !== "order.stored") continue;
        const { order } = change;
        if (isActive(order.snapshot.status)) byReference.set(order.posReference, order);
        else byReference.delete(order.posReference);
      }
    }) satisfies Listener,
    list: (): StoredOrder[] => [...all().values()],
    get: (posReference: string): StoredOrder | null => all().get(posReference) ?? null,
    onTable: (tableId: number): StoredOrder[] =>
      [...all().values()].filter(({ snapshot }) => tablesOf(snapshot).includes(tableId)).sort(byCheckNumber),
  };
}

function byCheckNumber(a: StoredOrder, b: StoredOrder): number {
  return (a.snapshot.checkNumber ?? 0) - (b.snapshot.checkNumber ?? 0);
}
