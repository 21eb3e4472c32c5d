import { isActive, type BackOfficeFloor } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { checksByTable } from "../../../checks/checks-by-table.ts";

/** The tables of each floor as they are drawn, with their checks, and the checks without a table. */
export function targetsOf(from: LocalOrder, orders: readonly LocalOrder[], floors: readonly BackOfficeFloor[]) {
  const byTable = checksByTable(orders);
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
      ({ posReference, tableId, snapshot }) =>
        tableId === null && posReference !== from.posReference && isActive(snapshot.status),
    ),
  };
}
