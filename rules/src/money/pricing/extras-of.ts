import type { StoredLine, TerminalLine } from "@comanda/protocol";

/** What was chosen with a line, as far as it has a price. Other systems write modifiers in forms of their own. */
export function extrasOf(line: TerminalLine | StoredLine): { id: unknown; price: number; quantity: number }[] {
  const modifiers = line["modifiers"];
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null) return [];
    const { id, price, quantity } = each as Record<string, unknown>;
    if (typeof price !== "number") return [];
    return [{ id, price, quantity: typeof quantity === "number" ? quantity : 1 }];
  });
}

/** The price of one, with what was chosen with it. */
export function fullPrice(line: TerminalLine | StoredLine): number {
  return (line.unitPrice ?? 0) + extrasOf(line).reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
