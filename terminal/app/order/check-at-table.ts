import { isActive } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";

export type CheckAtTable = ReturnType<typeof checkAtTable>;

/** Returns what the screen of a table shows. `chosen` is the check that it began with or that was chosen on it. */
export function checkAtTable(orders: readonly LocalOrder[], tableId: number, chosen: string | null) {
  // Sorts the table's own checks only: a tap on a tile must be as fast with five hundred checks.
  const own = orders.filter((order) => order.tableId === tableId || order.snapshot.tableIds?.includes(tableId));
  const checks = checksByTable(own).get(tableId) ?? [];
  const isChosen = ({ posReference }: LocalOrder): boolean => posReference === chosen;
  const order = checks.find(isChosen);
  const found = order ?? orders.find(isChosen);
  const moved = order === undefined && found !== undefined && isActive(found.snapshot.status) ? found : undefined;
  const hasLeft = chosen !== null && order === undefined && (checks.length > 0 || moved !== undefined);
  const paidUnsent = own.filter(({ snapshot }) => isPaidUnsent(snapshot));
  return {
    /** Oldest first. */
    checks,
    /** Paid checks with unsent lines. */
    paidUnsent,
    /** The chosen check, if it is at this table. If undefined, the first tile opens one, unless `hasLeft`. */
    order,
    /** The chosen check, wherever it is. */
    found,
    /** The chosen check has left the table, and the user has to choose another one. */
    hasLeft,
    /** The chosen check, if it is active elsewhere. */
    moved,
  };
}
