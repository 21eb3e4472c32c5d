import type { KitchenTicket } from "@comanda/protocol";
import { modifierNames } from "@comanda/rules";
import { leftOf } from "./ticket-facts.ts";

/** How much of one dish, made in one way, is still to be cooked over all tickets. */
export interface DishSum {
  key: string;
  name: string;
  modifiers: readonly string[];
  quantity: number;
  ticketIds: readonly string[];
}

/** What is still to be cooked by dish and modifiers, by name: a list that changes its numbers and not its order. */
export function sumDishes(tickets: readonly KitchenTicket[]): DishSum[] {
  const sums = new Map<string, DishSum>();
  for (const { id, lines } of tickets) {
    for (const line of lines) {
      const left = leftOf(line);
      if (left === 0) continue;
      const modifiers = modifierNames(line.modifiers).toSorted((one, other) => one.localeCompare(other));
      const key = JSON.stringify([line.productId ?? line.name, ...modifiers]);
      const sum = sums.get(key) ?? { key, name: line.name, modifiers, quantity: 0, ticketIds: [] };
      const ticketIds = sum.ticketIds.includes(id) ? sum.ticketIds : [...sum.ticketIds, id];
      sums.set(key, { ...sum, quantity: sum.quantity + left, ticketIds });
    }
  }
  return [...sums.values()].toSorted(
    (one, other) => one.name.localeCompare(other.name) || one.modifiers.join().localeCompare(other.modifiers.join()),
  );
}
