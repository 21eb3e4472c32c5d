import { isActive } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";

/** What the screen of a table shows. */
export interface CheckAtTable {
  /** The checks of the table, the oldest first. */
  checks: readonly LocalOrder[];
  /** Checks of the table that are paid, and of which the kitchen lacks something. */
  paidUnsent: readonly LocalOrder[];
  /** The check that is meant; undefined: the first tile begins one, unless it `hasLeft`. */
  order: LocalOrder | undefined;
  /** The check that was meant, wherever it is. */
  known: LocalOrder | undefined;
  /** The check that was meant is not here any more, and somebody has to say which one goes on. */
  hasLeft: boolean;
  /** Where it goes on elsewhere. */
  moved: LocalOrder | undefined;
}

/** `chosen`: the check that the screen began with, or that was chosen on it. */
export function checkAtTable(orders: readonly LocalOrder[], tableId: number, chosen: string | null): CheckAtTable {
  // Only its own are sorted: a tap on a tile shall cost the same with five hundred checks.
  const own = orders.filter((order) => order.tableId === tableId || order.snapshot.tableIds?.includes(tableId));
  const checks = checksByTable(own).get(tableId) ?? [];
  const isChosen = ({ posReference }: LocalOrder): boolean => posReference === chosen;
  const order = checks.find(isChosen);
  const known = order ?? orders.find(isChosen);
  const moved = order === undefined && known !== undefined && isActive(known.snapshot.status) ? known : undefined;
  const hasLeft = chosen !== null && order === undefined && (checks.length > 0 || moved !== undefined);
  const paidUnsent = own.filter(({ snapshot }) => isPaidUnsent(snapshot));
  return { checks, paidUnsent, order, known, hasLeft, moved };
}
