import type { StoredOrder } from "@comanda/protocol";
import type { ForwardEvent } from "../back-office/client.ts";
import { isoTime } from "../world.ts";
import type { WaitingEvent } from "./event-store.ts";

/** An event as the back-office gets it: the order as it was paid, without what integrations attached to it. */
export function presentEvent(event: WaitingEvent, order: StoredOrder): ForwardEvent {
  const { pluginData: _, ...snapshot } = order.snapshot;
  return {
    eventId: event.id,
    type: event.type,
    posReference: event.posReference,
    createdAt: isoTime(event.createdAt),
    order: { ...order, snapshot },
  };
}
