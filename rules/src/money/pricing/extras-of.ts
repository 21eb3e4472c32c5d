import type { StoredLine, TerminalLine } from "@comanda/protocol";

/** Returns the modifiers of a line that have a price. Other systems may write modifiers in other forms. */
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

/** Returns the price of one unit including its modifiers. */
export function fullPrice(line: TerminalLine | StoredLine): number {
  return (line.unitPrice ?? 0) + extrasOf(line).reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
