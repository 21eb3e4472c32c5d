import { sum } from "@comanda/rules";
import { linesOf, type Conflict } from "@comanda/terminal";

/**
 * Whether a refused change would take from its checks what the kitchen has by now, as where a dish is taken off in the moment
 * in which somebody sends it: nobody may allow that, for it can only be void.
 */
export function takesFromKitchen({ orders }: Pick<Conflict, "orders">): boolean {
  const wanted = orders.flatMap(({ mine }) => (mine === null ? [] : linesOf(mine)));
  return orders.some(({ mine, hub }) => {
    const sent = mine === null ? [] : (hub?.snapshot.lines ?? []);
    return sent.some(({ id, sentQuantity = 0 }) => {
      const kept = wanted.filter((line) => line.id === id || line.splitOf === id);
      return sum(kept.map(({ quantity }) => quantity)) < sentQuantity;
    });
  });
}
