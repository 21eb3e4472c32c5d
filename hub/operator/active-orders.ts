import { isActive, type StoredOrder } from "@comanda/protocol";
import type { Listener } from "../changes/change.ts";
import type { OrderStore } from "../orders/order-store.ts";
import type { World } from "../world.ts";

export type ActiveOrders = ReturnType<typeof createActiveOrders>;

/** The orders that are not paid, kept in memory as they are committed: counting them costs no read of the data file. */
export function createActiveOrders(world: World, orders: OrderStore) {
  const byReference = new Map<string, StoredOrder>();
  for (const posReference of orders.activeReferences()) {
    try {
      const order = orders.get(posReference);
      if (order !== null) byReference.set(posReference, order);
    } catch (error) {
      world.log.error({ err: error, posReference }, "an active order cannot be read");
    }
  }

  return {
    follow: ((changes) => {
      for (const change of changes) {
        if (change.kind === "order.removed") byReference.delete(change.posReference);
        if (change.kind !== "order.stored") continue;
        const { order } = change;
        if (isActive(order.snapshot.status)) byReference.set(order.posReference, order);
        else byReference.delete(order.posReference);
      }
    }) satisfies Listener,
    list: (): StoredOrder[] => [...byReference.values()],
    get: (posReference: string): StoredOrder | null => byReference.get(posReference) ?? null,
    onTable: (tableId: number): StoredOrder[] =>
      [...byReference.values()].filter((order) => order.tableId === tableId).sort(byCheckNumber),
  };
}

function byCheckNumber(a: StoredOrder, b: StoredOrder): number {
  return (a.snapshot.checkNumber ?? 0) - (b.snapshot.checkNumber ?? 0);
}
