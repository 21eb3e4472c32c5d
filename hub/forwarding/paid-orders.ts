import type { StoredOrder } from "@comanda/protocol";
import type { Logger } from "pino";
import type { ForwardEvent } from "../back-office/pos-calls.ts";
import type { OrderStore } from "../orders/order-store.ts";
import { isoTime } from "../platform/world.ts";
import type { WaitingEvent } from "./event-store.ts";

/** An event with the order as it was paid. */
export interface PaidOrder {
  event: WaitingEvent;
  order: StoredOrder;
}

/** Events with their orders, as stored and as the back-office gets them; `damaged` are those that cannot be read. */
export function readPaidOrders(
  orders: OrderStore,
  log: Logger,
  waiting: readonly WaitingEvent[],
): { paid: PaidOrder[]; presented: ForwardEvent[]; damaged: WaitingEvent[] } {
  const paid: PaidOrder[] = [];
  const presented: ForwardEvent[] = [];
  const damaged: WaitingEvent[] = [];
  for (const event of waiting) {
    try {
      const stored = orders.versionText(event.posReference, event.version);
      if (stored === null) throw new Error("the stored order is missing");
      const { order, text } = stored;
      // First, since an order without content cannot be presented.
      presented.push(presentEvent(event, order, text));
      paid.push({ event, order });
    } catch (error) {
      log.error({ err: error, posReference: event.posReference }, "a paid order cannot be read");
      damaged.push(event);
    }
  }
  return { paid, presented, damaged };
}

/**
 * An event as the back-office gets it, serialized: the order as it was paid, without what integrations attached to it.
 * `text` is the order as it is stored.
 */
function presentEvent(event: WaitingEvent, order: StoredOrder, text: string): ForwardEvent {
  const { pluginData, ...snapshot } = order.snapshot;
  return {
    eventId: event.id,
    type: event.type,
    posReference: event.posReference,
    createdAt: isoTime(event.createdAt),
    orderJson: pluginData === undefined ? text : JSON.stringify({ ...order, snapshot }),
  };
}
