import type { StoredOrder } from "@comanda/protocol";
import type { ForwardEvent } from "../back-office/client.ts";
import { isoTime } from "../world.ts";
import type { WaitingEvent } from "./event-store.ts";

/** An event with the order as it was paid. */
export interface Paid {
  event: WaitingEvent;
  order: StoredOrder;
  /** The order as it is stored: JSON. */
  text: string;
}

/** An event as the back-office gets it, serialized: the order as it was paid, without what integrations attached to it. */
export function presentEvent({ event, order, text }: Paid): ForwardEvent {
  const { pluginData, ...snapshot } = order.snapshot;
  return {
    eventId: event.id,
    type: event.type,
    posReference: event.posReference,
    createdAt: isoTime(event.createdAt),
    orderJson: pluginData === undefined ? text : JSON.stringify({ ...order, snapshot }),
  };
}
