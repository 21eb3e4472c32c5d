import type { Snapshot } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import { hasChargedLines, openTenders } from "@comanda/rules";

/**
 * Whether a check is blank apart from its lines: no name, note, plugin data or payment, and nothing was sent. A blank check was
 * never a sale, and is discarded with its last line.
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
 * Returns the act that closes a check: its payment, or freeing the table if every line is voided or comped. A check with
 * payments needs "pay", where they can be taken back. Null if the check is empty or closed.
 */
export function endOf(check: Pick<Snapshot, "status" | "lines" | "tenders">): "pay" | "free" | null {
  if (!isActive(check.status)) return null;
  if (hasChargedLines(check) || openTenders(check).length > 0) return "pay";
  return check.lines.length > 0 ? "free" : null;
}
