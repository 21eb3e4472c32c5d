import { sum } from "@comanda/rules";
import { linesOf, type Conflict } from "@comanda/terminal";

/**
 * Whether a refused change would remove lines that were sent, for example a dish removed here just as another terminal sent it.
 * No approval allows that: a sent line can only be voided.
 */
export function takesFromKitchen({ orders }: Pick<Conflict, "orders">): boolean {
  const ownLines = orders.flatMap(({ mine }) => (mine === null ? [] : linesOf(mine)));
  return orders.some(({ mine, base, hub }) => {
    const sentOf = new Map((hub?.snapshot.lines ?? []).map(({ id, sentQuantity }) => [id, sentQuantity ?? 0]));
    // Lines added elsewhere in the meantime are no part of the change.
    const before = mine === null || base === null ? [] : linesOf(base);
    return before.some(({ id, quantity }) => {
      const matching = ownLines.filter((line) => line.id === id || line.splitOf === id);
      return sum(matching.map((line) => line.quantity)) < Math.min(quantity, sentOf.get(id) ?? 0);
    });
  });
}
