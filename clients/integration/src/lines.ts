import type { ExternalLine, Snapshot } from "./types.ts";

/**
 * The lines of a stored order as a PATCH takes them: without what only the hub sets. Sending them back with one more
 * adds a line and loses nothing; a void or a discount made on a terminal stays with its line.
 */
export function linesOf(snapshot: Pick<Snapshot, "lines">): ExternalLine[] {
  return snapshot.lines.filter((line) => line.quantity > 0).map(externalLine);
}

function externalLine(line: Snapshot["lines"][number]): ExternalLine {
  const { id, productId, quantity, unitPrice, total, taxIds, taxAmount, note, specialRequest } = line;
  // `Required`: a field that integrators can send and that is missing here does not compile.
  const required: Required<Omit<ExternalLine, "note" | "specialRequest">> = {
    id,
    productId: String(productId ?? ""),
    quantity,
    unitPrice: unitPrice ?? 0,
    total: total ?? 0,
    taxIds: (taxIds ?? []).map(String),
    taxAmount: taxAmount ?? 0,
  };
  return {
    ...required,
    ...(typeof note === "string" && { note }),
    ...(typeof specialRequest === "string" && { specialRequest }),
  };
}
