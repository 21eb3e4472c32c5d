import { isActive } from "@comanda/protocol";
import type { Mutation } from "../outbox/outbox.ts";
import type { Intent, PaymentIntent } from "../outbox/outbox-entry.ts";
import { TerminalRefusal } from "../refusal.ts";
import type { LocalOrders } from "../state/local-orders.ts";
import { contentOf, type OrderContent } from "./order-content.ts";
import type { LocalOrder } from "./replay-order.ts";

export interface NewOrder extends OrderContent {
  posReference: string;
}

/** All of them show at once and throw TerminalRefusal for what the order as shown does not allow. */
export interface OrderCommands {
  openOrder(order: NewOrder): Mutation;
  /** `edit` gets the content as shown, and changes it or answers another. */
  editOrder(posReference: string, edit: (content: OrderContent) => OrderContent | void): Mutation;
  /** All or nothing: split, merge, move. An order that does not exist yet is new. */
  changeOrders(changes: readonly { posReference: string; content: OrderContent }[]): Mutation;
  sendToKitchen(posReference: string, lineIds?: readonly string[]): Mutation;
  kitchenSeen(kitchenTicketId: string, stationId: string): Mutation;
  bump(posReference: string, lineId: string, preparedQuantity: number, kitchenItemStatus?: string): Mutation;
  checkOut(posReference: string): Mutation;
  reopen(posReference: string): Mutation;
  pay(posReference: string, payment: PaymentIntent): Mutation;
  discardOrder(posReference: string, reason?: string): Mutation;
}

export function createOrderCommands(orders: LocalOrders, add: (intent: Intent) => Mutation): OrderCommands {
  return {
    openOrder({ posReference, ...next }) {
      if (orders.get(posReference) !== undefined) {
        throw new TerminalRefusal("CONFLICT", `there is an order ${posReference} already`);
      }
      return add({ type: "ORDER_UPSERT", posReference, base: null, next });
    },
    editOrder(posReference, edit) {
      const base = editable(posReference);
      const draft = structuredClone(base);
      return add({ type: "ORDER_UPSERT", posReference, base, next: edit(draft) ?? draft });
    },
    changeOrders(changes) {
      const changed = changes.map(({ posReference, content }) => {
        const base = orders.get(posReference) === undefined ? null : editable(posReference);
        return { posReference, base, next: content };
      });
      return add({ type: "ORDER_BATCH", orders: changed });
    },
    sendToKitchen: (posReference, lineIds) =>
      add({ type: "ORDER_SEND", posReference, lineIds: lineIds === undefined ? undefined : [...lineIds] }),
    kitchenSeen(kitchenTicketId, stationId) {
      for (const { posReference, snapshot } of orders.all()) {
        if (snapshot.kitchenTickets?.some(({ id }) => id === kitchenTicketId)) {
          return add({ type: "KITCHEN_SEEN", posReference, kitchenTicketId, stationId });
        }
      }
      throw new TerminalRefusal("NOT_FOUND", `there is no kitchen ticket ${kitchenTicketId}`);
    },
    bump: (posReference, lineId, preparedQuantity, kitchenItemStatus) =>
      add({ type: "KITCHEN_BUMP", posReference, lineId, preparedQuantity, kitchenItemStatus }),
    checkOut: (posReference) => add({ type: "ORDER_CHECKOUT", ...asSeen(posReference) }),
    reopen: (posReference) => add({ type: "ORDER_REOPEN", ...asSeen(posReference) }),
    pay: (posReference, payment) => add({ type: "ORDER_PAY", ...asSeen(posReference), ...payment }),
    discardOrder: (posReference, reason) => add({ type: "ORDER_DISCARD", ...asSeen(posReference), reason }),
  };

  function editable(posReference: string): OrderContent {
    const { snapshot } = unfinished(posReference);
    if (snapshot.status === "checkout") {
      throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is checked out`);
    }
    return contentOf(snapshot);
  }

  function asSeen(posReference: string): { posReference: string; seen: OrderContent; seenVersion: number } {
    const order = unfinished(posReference);
    return { posReference, seen: contentOf(order.snapshot), seenVersion: order.version };
  }

  /** Also keeps a second tap on "pay" from taking the money twice. */
  function unfinished(posReference: string): LocalOrder {
    const order = orders.get(posReference);
    if (order === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no order ${posReference}`);
    const { status } = order.snapshot;
    if (!isActive(status)) throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is ${status}`);
    return order;
  }
}
