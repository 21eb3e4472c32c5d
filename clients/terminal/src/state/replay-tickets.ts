import type { ItemState, KitchenTicket } from "@comanda/protocol";
import { bump, checksOf, isAvailable, itemStateOf, markSeen, markServed, type ServiceState } from "@comanda/rules";
import type { Intent, OutboxEntry } from "../outbox/outbox-entry.ts";

/** The tickets as the user sees them: the hub's, with what this device did and the hub has not confirmed yet. */
export function replayTickets(tickets: Iterable<KitchenTicket>, entries: readonly OutboxEntry[]): KitchenTicket[] {
  const shown = new Map([...tickets].map((ticket) => [ticket.id, ticket]));
  for (const { intent, queuedAt, refusal } of entries) {
    if (refusal !== null) continue;
    for (const ticket of changedTickets(shown, intent, Date.parse(queuedAt))) shown.set(ticket.id, ticket);
  }
  return [...shown.values()];
}

/** What the rules make of a change of the kitchen's work; one that the hub will refuse shows nothing. */
function changedTickets(
  shown: ReadonlyMap<string, KitchenTicket>,
  intent: Intent,
  now: number,
): readonly KitchenTicket[] {
  const change = changeOf(shown, intent, { now });
  return change === null || "refusal" in change ? [] : change.tickets;
}

function changeOf(shown: ReadonlyMap<string, KitchenTicket>, intent: Intent, context: { now: number }) {
  if (intent.type === "KITCHEN_SEEN") return markSeen(stateOf(shown), intent, context);
  if (intent.type === "KITCHEN_BUMP") return bump(stateOf(shown), intent, context);
  return intent.type === "KITCHEN_SERVED" ? markServed(stateOf(shown), intent, context) : null;
}

/** The tickets alone: what follows for the checks shows with them (replay-order.ts). */
function stateOf(shown: ReadonlyMap<string, KitchenTicket>): ServiceState {
  const placed = [...shown.values()]
    .toSorted((one, other) => (one.sentAt < other.sentAt ? -1 : 1))
    .map((ticket, id) => ({ id, ticket }));
  return {
    order: () => null,
    wasRemoved: () => true,
    checksOn: () => [],
    ticketsOf: (posReference) => placed.filter(({ ticket }) => checksOf(ticket).has(posReference)),
    holdersOf: (ticketId) => {
      const ticket = shown.get(ticketId);
      return ticket === undefined ? [] : checksOf(ticket);
    },
    stockOf: () => null,
  };
}

/** What can be sold, as the user sees it at `now`: what has come to its end is available again. */
export function replayItemStates(
  states: Iterable<ItemState>,
  entries: readonly OutboxEntry[],
  now: number,
): ItemState[] {
  const shown = new Map([...states].map((state) => [String(state.productId), state]));
  for (const { intent, queuedAt, refusal } of entries) {
    if (refusal !== null || intent.type !== "ITEM_STATE_SET") continue;
    const itemState = itemStateOf(intent, Date.parse(queuedAt));
    if (itemState !== null) shown.set(String(intent.productId), itemState);
  }
  return [...shown.values()].filter((itemState) => !isAvailable(itemState, now));
}
