import { isActive } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";

export type CheckAtTable = ReturnType<typeof checkAtTable>;

/** What the screen of a table shows. `chosen`: the check that it began with, or that was chosen on it. */
export function checkAtTable(orders: readonly LocalOrder[], tableId: number, chosen: string | null) {
  // Only its own are sorted: a tap on a tile shall cost the same with five hundred checks.
  const own = orders.filter((order) => order.tableId === tableId || order.snapshot.tableIds?.includes(tableId));
  const checks = checksByTable(own).get(tableId) ?? [];
  const isChosen = ({ posReference }: LocalOrder): boolean => posReference === chosen;
  const order = checks.find(isChosen);
  const known = order ?? orders.find(isChosen);
  const moved = order === undefined && known !== undefined && isActive(known.snapshot.status) ? known : undefined;
  const hasLeft = chosen !== null && order === undefined && (checks.length > 0 || moved !== undefined);
  const paidUnsent = own.filter(({ snapshot }) => isPaidUnsent(snapshot));
  return {
    /** The oldest first. */
    checks,
    /** Those that are paid, and of which the kitchen lacks something. */
    paidUnsent,
    /** The check that is meant; undefined: the first tile begins one, unless it `hasLeft`. */
    order,
    /** The same, wherever it is. */
    known,
    /** It is not here any more, and somebody has to say which one goes on. */
    hasLeft,
    /** Where it goes on elsewhere. */
    moved,
  };
}
