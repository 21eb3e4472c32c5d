import type { Tx } from "../changes/change.ts";
import type { TableStore } from "../tables/table-store.ts";
import type { OrderStore } from "./order-store.ts";

/**
 * Updates the tables after an order was written that was on `from` before and is on `to` now. An order that stays on its
 * table costs no query and emits nothing.
 */
export function followMove(
  deps: { orders: OrderStore; tables: TableStore },
  tx: Tx,
  from: number | null,
  to: number | null,
  posReference: string,
  origin: string,
): void {
  if (from === to) return;
  followOrder(deps, tx, from, posReference, origin);
  followOrder(deps, tx, to, posReference, origin);
}

/** Updates a table from the active orders on it after `posReference` was written. */
export function followOrder(
  deps: { orders: OrderStore; tables: TableStore },
  tx: Tx,
  tableId: number | null,
  posReference: string,
  origin: string,
): void {
  if (tableId === null) return;
  const known = deps.tables.get(tableId, tx.now);
  const status = deps.orders.activeOnTable(tableId).length > 0 ? "occupied" : "available";
  if (known?.status === status && known.posReference === posReference) return;
  tx.emit(deps.tables.save(tx, tableId, origin, { status, posReference }));
}
