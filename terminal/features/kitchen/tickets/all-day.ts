import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { modifierNames, sum, remainingQuantity } from "@comanda/rules";

/** The quantity of one dish with the same modifiers still to cook on all tickets. */
export interface DishSum {
  key: string;
  name: string;
  modifiers: readonly string[];
  quantity: number;
  /** Whether a ticket, also a later one, still has the dish to cook. */
  isOn: (ticket: KitchenTicket) => boolean;
}

/** Sums what is still to cook by dish and modifiers, ordered by name, so that the list keeps its order. */
export function sumDishes(tickets: readonly KitchenTicket[]): DishSum[] {
  const sums = new Map<string, DishSum>();
  for (const { lines } of tickets) {
    for (const line of lines) {
      const remaining = remainingQuantity(line);
      if (remaining === 0) continue;
      const { key, modifiers } = dishOf(line);
      const isOn = (ticket: KitchenTicket) =>
        ticket.lines.some((each) => remainingQuantity(each) > 0 && dishOf(each).key === key);
      const dish = sums.get(key) ?? { key, name: line.name, modifiers, quantity: 0, isOn };
      sums.set(key, { ...dish, quantity: sum([dish.quantity, remaining]) });
    }
  }
  return [...sums.values()].toSorted(
    (one, other) => one.name.localeCompare(other.name) || one.modifiers.join().localeCompare(other.modifiers.join()),
  );
}

function dishOf(line: TicketLine): Pick<DishSum, "key" | "modifiers"> {
  const modifiers = modifierNames(line.modifiers).toSorted((one, other) => one.localeCompare(other));
  return { key: JSON.stringify([line.productId ?? line.name, ...modifiers]), modifiers };
}
