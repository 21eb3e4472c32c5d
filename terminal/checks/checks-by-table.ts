import { isActive } from "@comanda/protocol";
import { tablesOf } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";

/** Returns the active checks by table, including joined tables, oldest first. */
export function checksByTable(orders: readonly LocalOrder[]): Map<number, LocalOrder[]> {
  const byTable = new Map<number, LocalOrder[]>();
  const openedAt = ({ snapshot }: LocalOrder): number => Date.parse(snapshot.createdAt);
  for (const order of orders.toSorted((one, other) => openedAt(one) - openedAt(other))) {
    if (!isActive(order.snapshot.status)) continue;
    for (const id of tablesOf(order.snapshot)) {
      byTable.set(id, [...(byTable.get(id) ?? []), order]);
    }
  }
  return byTable;
}

/** Whether a check is at no table of the plan, whose names by id are `names`: it has none, or the plan no longer has it. */
export function isOffPlan({ snapshot }: LocalOrder, names: ReadonlyMap<number, string>): boolean {
  return tablesOf(snapshot).every((id) => !names.has(id));
}
