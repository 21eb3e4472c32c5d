import type { Tx } from "../../changes/change.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { OrderStore } from "./order-store.ts";

/**
 * Updates the tables after an order was written that was on the tables `from` and is now on `to`. If the tables did not
 * change, runs no query and emits nothing.
 */
export function followMove(
  deps: { orders: OrderStore; tables: TableStore },
  tx: Tx,
  from: readonly number[],
  to: readonly number[],
  posReference: string,
  origin: string,
): void {
  const released = from.filter((tableId) => !to.includes(tableId));
  const occupied = to.filter((tableId) => !from.includes(tableId));
  followOrder(deps, tx, [...released, ...occupied], posReference, origin);
}

/** Updates tables from the active orders on them after `posReference` was written. */
export function followOrder(
  deps: { orders: OrderStore; tables: TableStore },
  tx: Tx,
  tableIds: readonly number[],
  posReference: string,
  origin: string,
): void {
  for (const tableId of tableIds) {
    const stored = deps.tables.get(tableId, tx.now);
    const status = deps.orders.listActiveOnTable(tableId).length > 0 ? "occupied" : "available";
    if (stored?.status === status && stored.posReference === posReference) continue;
    tx.emit(deps.tables.save(tx, tableId, origin, { status, posReference }));
  }
}
