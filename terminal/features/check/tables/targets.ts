import { isActive, type BackOfficeFloor } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { checksByTable, isOffPlan } from "../../../checks/checks-by-table.ts";

/** Returns the tables of each floor in the plan's order, with their checks, and the checks on none of them. */
export function targetsOf(from: LocalOrder, orders: readonly LocalOrder[], floors: readonly BackOfficeFloor[]) {
  const byTable = checksByTable(orders);
  const names = new Map(floors.flatMap(({ tables }) => tables.map(({ id, name }) => [id, name] as const)));
  return {
    floors: floors.map(({ name, tables }) => ({
      name,
      tables: tables.map(({ id, name: tableName }) => {
        const checks = byTable.get(id) ?? [];
        return {
          tableId: id,
          name: tableName,
          /** Without the check that moves. */
          checks: checks.filter(({ posReference }) => posReference !== from.posReference),
          /** Whether the check that moves is at this table. */
          isHere: checks.some(({ posReference }) => posReference === from.posReference),
        };
      }),
    })),
    others: orders.filter(
      (order) => isOffPlan(order, names) && order.posReference !== from.posReference && isActive(order.snapshot.status),
    ),
  };
}
