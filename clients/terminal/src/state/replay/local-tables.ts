import { isActive, type Snapshot, type TableState } from "@comanda/protocol";
import { tablesOf } from "@comanda/rules";
import type { LocalOrder } from "../../orders/local-order.ts";

/**
 * Returns the tables as the user sees them: a table on which this device has opened an order is occupied at once, and one
 * whose last order it has paid or discarded is free. Other tables are as on the hub. An expired lock is null.
 */
export function localTables(
  tables: Iterable<TableState>,
  orders: { shown: Iterable<LocalOrder>; onHub: Iterable<{ snapshot: Snapshot }> },
  now: number,
): TableState[] {
  const opened = new Map<number, LocalOrder>();
  for (const order of orders.shown) {
    for (const tableId of tablesOccupiedBy(order)) opened.set(tableId, order);
  }
  const occupiedIds = new Set([...orders.onHub].flatMap(tablesOccupiedBy));
  const states = [...tables].map((table): TableState => {
    const { tableId } = table;
    const lock = table.lock !== null && Date.parse(table.lock.expiresAt) > now ? table.lock : null;
    const order = opened.get(tableId);
    if (order !== undefined && table.status !== "occupied") return occupied(tableId, order, lock);
    const emptied = order === undefined && table.status === "occupied" && occupiedIds.has(tableId);
    return { ...table, status: emptied ? "available" : table.status, lock };
  });
  const names = new Set(states.map((table) => table.tableId));
  const added = [...opened].filter(([tableId]) => !names.has(tableId));
  return [...states, ...added.map(([tableId, order]) => occupied(tableId, order, null))];
}

function occupied(tableId: number, order: LocalOrder, lock: TableState["lock"]): TableState {
  const { posReference, snapshot } = order;
  return { tableId, status: "occupied", posReference, updatedAt: snapshot.updatedAt, lock };
}

function tablesOccupiedBy({ snapshot }: { snapshot: Snapshot }): number[] {
  return isActive(snapshot.status) ? tablesOf(snapshot) : [];
}
