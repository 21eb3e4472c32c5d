import { logEvent } from "../platform/log-event.ts";
import type { LookupOrder, StoredOrder } from "@comanda/protocol";
import type { Logger } from "pino";
import { BackOfficeError, isLineFailure } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ForwardEvent } from "../back-office/pos-calls.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isoTime } from "../platform/world.ts";
import type { WaitingEvent } from "./event-rows.ts";
import type { EventStore } from "./event-store.ts";

export interface PaidOrder {
  event: WaitingEvent;
  order: StoredOrder;
}

/** Reads events with their orders, as stored and as sent to the back-office. `damaged` are events with unreadable orders. */
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
      // First, because it throws for an order without content.
      presented.push(presentEvent(event, order, text));
      paid.push({ event, order });
    } catch (error) {
      log.error(
        logEvent("paid_order_unreadable", { err: error, posReference: event.posReference }),
        "a paid order cannot be read",
      );
      damaged.push(event);
    }
  }
  return { paid, presented, damaged };
}

/** Reads the last event of an order as it is sent to the back-office; null if it is missing or unreadable. */
export function readForwarded(
  { orders, events, log }: { orders: OrderStore; events: Pick<EventStore, "listByOrder">; log: Logger },
  posReference: string,
): ForwardEvent | null {
  const event = events.listByOrder(posReference).at(-1);
  return event === undefined ? null : (readPaidOrders(orders, log, [event]).presented[0] ?? null);
}

/**
 * Returns the event for the back-office, with the paid order as JSON, without the data that integrations attached to it.
 * `text` is the stored JSON of the order.
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

/** A short timeout, because a lookup only avoids sending orders again. */
const LOOKUP_WAIT_MS = 5_000;

/**
 * Looks up orders with an unknown outcome. Returns by reference those that the back-office has as paid; empty if it has no
 * lookup. Throws if the back-office is unreachable.
 */
export async function lookUpPaid(
  client: BackOfficeClient,
  own: OwnSession,
  unknown: readonly PaidOrder[],
): Promise<Map<string, LookupOrder>> {
  if (unknown.length === 0) return new Map();
  const posReferences = unknown.map(({ event }) => event.posReference);
  let found: LookupOrder[] | null = null;
  try {
    found = await own.use((token) => client.lookup(token, posReferences, LOOKUP_WAIT_MS));
  } catch (error) {
    if (!(error instanceof BackOfficeError) || isLineFailure(error)) throw error;
  }
  // No result: a harmless call shows whether the back-office is reachable.
  if (found === null) await own.use((token) => client.bootstrap(token));
  return new Map(found?.flatMap((order) => (order.status === "paid" ? [[order.posReference, order]] : [])));
}
