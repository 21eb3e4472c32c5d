import type { Snapshot } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import { hasChargedLines, openTenders } from "@comanda/rules";

/**
 * Whether a check says nothing at all without its lines: no name, no note, no booking, no money, and nothing was sent of it.
 * It was never a sale, and goes with its last line.
 */
export function isBlank(
  check: Pick<Snapshot, "customerName" | "notes" | "pluginData" | "tenders"> & Partial<Pick<Snapshot, "lines">>,
): boolean {
  const { customerName, notes, pluginData = {}, lines = [] } = check;
  if (lines.some(({ sentQuantity = 0 }) => sentQuantity > 0)) return false;
  const isNamed = (customerName ?? "") !== "" || (notes ?? "") !== "";
  return !isNamed && Object.keys(pluginData).length === 0 && openTenders(check).length === 0;
}

/**
 * What ends a check: its payment, or freeing its table where everything on it is void. Payments that lie on it come first, for
 * they have to be taken back. Null: nothing does, or not any more.
 */
export function endOf(check: Pick<Snapshot, "status" | "lines" | "tenders">): "pay" | "free" | null {
  if (!isActive(check.status)) return null;
  if (hasChargedLines(check) || openTenders(check).length > 0) return "pay";
  return check.lines.length > 0 ? "free" : null;
}
