import { isActive } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";

/** Active checks of each table, also of the tables that are joined to it; the oldest first. */
export function checksByTable(orders: readonly LocalOrder[]): Map<number, LocalOrder[]> {
  const byTable = new Map<number, LocalOrder[]>();
  const openedAt = ({ snapshot }: LocalOrder): number => Date.parse(snapshot.createdAt);
  for (const order of orders.toSorted((one, other) => openedAt(one) - openedAt(other))) {
    const { snapshot, tableId } = order;
    if (!isActive(snapshot.status)) continue;
    for (const id of snapshot.tableIds ?? (tableId === null ? [] : [tableId])) {
      byTable.set(id, [...(byTable.get(id) ?? []), order]);
    }
  }
  return byTable;
}
