import { isActive, type BackOfficeFloor } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { checksByTable, isOffPlan } from "../../../checks/checks-by-table.ts";

/** The tables of each floor as they are drawn, with their checks, and the checks that stand on none of them. */
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
          /** Without the one that is moved. */
          checks: checks.filter(({ posReference }) => posReference !== from.posReference),
          /** The moved check is here. */
          isHere: checks.some(({ posReference }) => posReference === from.posReference),
        };
      }),
    })),
    others: orders.filter(
      (order) => isOffPlan(order, names) && order.posReference !== from.posReference && isActive(order.snapshot.status),
    ),
  };
}
