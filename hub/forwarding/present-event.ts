import type { StoredOrder } from "@comanda/protocol";
import type { ForwardEvent } from "../back-office/pos-calls.ts";
import { isoTime } from "../platform/world.ts";
import type { WaitingEvent } from "./event-store.ts";

/**
 * An event as the back-office gets it, serialized: the order as it was paid, without what integrations attached to it.
 * `text` is the order as it is stored.
 */
export function presentEvent(event: WaitingEvent, order: StoredOrder, text: string): ForwardEvent {
  const { pluginData, ...snapshot } = order.snapshot;
  return {
    eventId: event.id,
    type: event.type,
    posReference: event.posReference,
    createdAt: isoTime(event.createdAt),
    orderJson: pluginData === undefined ? text : JSON.stringify({ ...order, snapshot }),
  };
}
