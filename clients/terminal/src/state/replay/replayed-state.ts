import { isActive, type KitchenTicket, type Snapshot, type StoredOrder } from "@comanda/protocol";
import { checksOf, type ServiceChanges, type ServiceState, tablesOf, ticketsOfLines } from "@comanda/rules";
import { sameValue } from "../../orders/order-content.ts";
import type { HubState } from "../hub/hub-state.ts";
import { type ReplayKnowledge, ruleMenuOf } from "./rule-context.ts";

export type ReplayedHub = Pick<
  HubState,
  "order" | "orders" | "ticket" | "ticketsOf" | "holdersOf" | "wasRemoved" | "itemState"
>;

/** The checks and tickets after the replay; everything else is as on the hub. */
export function createReplayedState(hub: ReplayedHub, { deviceId, menu }: Pick<ReplayKnowledge, "deviceId" | "menu">) {
  /** Null: removed. */
  const orders = new Map<string, StoredOrder | null>();
  const tickets = new Map<string, KitchenTicket>();
  /** Checks whose tickets are all in `tickets`. */
  const complete = new Set<string>();

  const state: ServiceState = {
    order,
    wasRemoved: (posReference) => orders.get(posReference) === null || hub.wasRemoved(posReference),
    checksOn: checksOnTable,
    ticketsOf(posReference) {
      addTickets(posReference);
      return [...tickets.values()]
        .filter((ticket) => checksOf(ticket).has(posReference))
        .map((ticket) => ({ id: Date.parse(ticket.sentAt), ticket }));
    },
    holdersOf(ticketId) {
      const ticket = tickets.get(ticketId);
      return ticket === undefined ? hub.holdersOf(ticketId) : checksOf(ticket);
    },
    stockOf(productId) {
      const itemState = hub.itemState(productId);
      return itemState === undefined ? null : { itemState, since: Date.parse(itemState.updatedAt) };
    },
  };

  return {
    state,
    order,
    orders: allOrders,
    /** The tickets read so far, in their replayed state. */
    tickets: (): ReadonlyMap<string, KitchenTicket> => tickets,
    store,
    keep,
  };

  function order(posReference: string): StoredOrder | null {
    const replayed = orders.get(posReference);
    return replayed === undefined ? (hub.order(posReference) ?? null) : replayed;
  }

  function allOrders(): StoredOrder[] {
    const others = [...hub.orders()].filter(({ posReference }) => !orders.has(posReference));
    return [...others, ...orders.values()].filter((check) => check !== null);
  }

  function checksOnTable(tableId: number) {
    return allOrders().flatMap((check) => {
      if (!isActive(check.snapshot.status) || !tablesOf(check.snapshot).includes(tableId)) return [];
      return { posReference: check.posReference, checkNumber: check.snapshot.checkNumber ?? null };
    });
  }

  /** Loads the tickets of a check. Finished ones that are no longer kept are derived from the check's lines. */
  function addTickets(posReference: string): void {
    if (complete.has(posReference)) return;
    complete.add(posReference);
    const own = hub.ticketsOf(posReference);
    const snapshot = hub.order(posReference)?.snapshot;
    const missing =
      snapshot === undefined ? [] : ticketsOfLines(snapshot, own, { stations: [], menu: ruleMenuOf(menu()) });
    for (const ticket of [...own, ...missing]) {
      if (!tickets.has(ticket.id)) tickets.set(ticket.id, ticket);
    }
  }

  function store({ checks, removals, tickets: changed }: ServiceChanges): void {
    for (const { previous, snapshot } of checks) keep(snapshot.posReference, previous, snapshot);
    for (const { check } of removals) orders.set(check.posReference, null);
    for (const ticket of changed) tickets.set(ticket.id, ticket);
  }

  function keep(posReference: string, previous: StoredOrder | null, snapshot: Snapshot): void {
    const { tableId, createdAt, updatedAt } = snapshot;
    const head = previous ?? { version: 1, terminalId: deviceId, createdAt, updatedAt };
    orders.set(posReference, { ...head, posReference, tableId, snapshot: sharing(previous?.snapshot, snapshot) });
  }
}

/** Reuses unchanged line objects of the snapshot, so that a screen need not draw them again. */
function sharing(before: Snapshot | undefined, next: Snapshot): Snapshot {
  if (before === undefined) return next;
  const linesById = new Map(before.lines.map((line) => [line.id, line]));
  const lines = next.lines.map((line) => {
    const was = linesById.get(line.id);
    return was !== undefined && sameValue(was, line) ? was : line;
  });
  return { ...next, lines };
}
