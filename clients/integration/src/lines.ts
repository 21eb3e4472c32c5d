import type { ExternalLine, Snapshot } from "./types.ts";

/**
 * Returns the lines of a stored order in the form of a PATCH, without the fields that only the hub sets. Send them back with
 * one more line to add that line; voids and discounts made on a terminal are kept.
 */
export function linesOf(snapshot: Pick<Snapshot, "lines">): ExternalLine[] {
  return snapshot.lines.filter((line) => line.quantity > 0).map(externalLine);
}

function externalLine(line: Snapshot["lines"][number]): ExternalLine {
  const { id, productId, quantity, unitPrice, total, taxIds, taxAmount, note, specialRequest } = line;
  // `Required`: a field of ExternalLine that is missing here does not compile.
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
