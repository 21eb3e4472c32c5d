import { sum } from "@comanda/rules";
import { linesOf, type Conflict } from "@comanda/terminal";

/**
 * Whether a refused change would take from its checks what the kitchen has by now, as where a dish is taken off in the moment
 * in which somebody sends it: nobody may allow that, for it can only be void.
 */
export function takesFromKitchen({ orders }: Pick<Conflict, "orders">): boolean {
  const wanted = orders.flatMap(({ mine }) => (mine === null ? [] : linesOf(mine)));
  return orders.some(({ mine, base, hub }) => {
    const sentOf = new Map((hub?.snapshot.lines ?? []).map(({ id, sentQuantity }) => [id, sentQuantity ?? 0]));
    // What others have added meanwhile is no part of the change.
    const before = mine === null || base === null ? [] : linesOf(base);
    return before.some(({ id, quantity }) => {
      const kept = wanted.filter((line) => line.id === id || line.splitOf === id);
      return sum(kept.map((line) => line.quantity)) < Math.min(quantity, sentOf.get(id) ?? 0);
    });
  });
}
