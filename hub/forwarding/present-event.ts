import type { StoredOrder } from "@comanda/protocol";
import type { ForwardEvent } from "../back-office/client.ts";
import { isoTime } from "../world.ts";
import type { WaitingEvent } from "./event-store.ts";

/** An event with the order as it was paid. */
export interface Paid {
  event: WaitingEvent;
  order: StoredOrder;
}

/** An event as the back-office gets it: the order as it was paid, without what integrations attached to it. */
export function presentEvent({ event, order }: Paid): ForwardEvent {
  const { pluginData: _, ...snapshot } = order.snapshot;
  return {
    eventId: event.id,
    type: event.type,
    posReference: event.posReference,
    createdAt: isoTime(event.createdAt),
    order: { ...order, snapshot },
  };
}
