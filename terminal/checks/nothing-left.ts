import type { Snapshot } from "@comanda/protocol";
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

/** Whether everything that was ordered is void: nothing can be paid, and the table is to be freed. */
export function isAllVoid({ lines }: Pick<Snapshot, "lines">): boolean {
  return lines.length > 0 && !hasChargedLines({ lines });
}
