import type { ExternalLine, Snapshot } from "@comanda/protocol";

/**
 * The lines of a stored order as a PATCH takes them: without what only the hub sets. Sending them back with one more
 * adds a line and loses nothing; a void or a discount made on a terminal stays with its line.
 */
export function linesOf(snapshot: Pick<Snapshot, "lines">): ExternalLine[] {
  return snapshot.lines.filter((line) => line.quantity > 0).map(externalLine);
}

/** `Required`: a field that integrators can send and that is missing here does not compile. */
function externalLine(line: Snapshot["lines"][number]): Required<ExternalLine> {
  return {
    id: line.id,
    productId: String(line.productId ?? ""),
    quantity: line.quantity,
    unitPrice: line.unitPrice ?? 0,
    total: line.total ?? 0,
    taxIds: (line.taxIds ?? []).map(String),
    taxAmount: line.taxAmount ?? 0,
    note: line.note ?? undefined,
    specialRequest: line.specialRequest ?? undefined,
  };
}
