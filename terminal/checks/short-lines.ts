import type { ItemState, StoredLine } from "@comanda/protocol";
import { missingQuantity, subtract } from "@comanda/rules";

/** A line that orders more than is left, and how many whole ones are left for it. */
export interface ShortLine {
  line: StoredLine;
  left: number;
}

/** Returns the lines that order more than is left. Lines that fit take from the stock first. */
export function shortLines(lines: readonly StoredLine[], states: readonly ItemState[]): ShortLine[] {
  const remaining = new Map(
    states.map(({ productId, state, left }) => [String(productId), state === "out" ? 0 : left]),
  );
  const short = lines.filter((line) => {
    const id = String(line.productId);
    const left = remaining.get(id);
    if (left == null) return false;
    const rest = subtract(left, missingQuantity(line));
    if (rest >= 0) remaining.set(id, rest);
    return rest < 0;
  });
  return short.map((line) => {
    const id = String(line.productId);
    const left = Math.floor(remaining.get(id) ?? 0);
    remaining.set(id, 0);
    return { line, left };
  });
}
