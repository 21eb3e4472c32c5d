import type { Snapshot } from "@comanda/protocol";
import { hasChargedLines, openTenders } from "@comanda/rules";

/**
 * Whether a check without lines says nothing at all: no name, no note, no booking, no money. It was never a sale, and nobody
 * needs to see it.
 */
export function isBlank(check: Pick<Snapshot, "customerName" | "notes" | "pluginData" | "tenders">): boolean {
  const { customerName, notes, pluginData = {} } = check;
  const isNamed = (customerName ?? "") !== "" || (notes ?? "") !== "";
  return !isNamed && Object.keys(pluginData).length === 0 && openTenders(check).length === 0;
}

/** Whether everything that was ordered is void: nothing can be paid, and the table is to be freed. */
export function isAllVoid({ lines }: Pick<Snapshot, "lines">): boolean {
  return lines.length > 0 && !hasChargedLines({ lines });
}
