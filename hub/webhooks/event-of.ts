import type { OrderEventData, TableEventData, WebhookEvent } from "@comanda/protocol";
import type { Change, OrderEvent } from "../changes/change.ts";

/** What receivers are told of a change. */
export interface HookEvent {
  event: WebhookEvent;
  /** The order or table it tells of. */
  subject: string;
  data(): OrderEventData | TableEventData;
}

const eventOfOrder: Readonly<Record<Exclude<OrderEvent, "forwarded">, WebhookEvent>> = {
  created: "order.created",
  updated: "order.updated",
  paid: "order.paid",
};

/** The webhook event of a change, or null: locks, reservations, plugin records and forwarding are none. */
export function eventOf(change: Change): HookEvent | null {
  if (change.kind === "order.stored" && change.event !== "forwarded") {
    const { order, origin } = change;
    const { posReference, version, snapshot } = order;
    return {
      event: eventOfOrder[change.event],
      subject: posReference,
      data: () => ({ posReference, version, origin, snapshot }),
    };
  }
  if (change.kind === "order.removed") {
    const { posReference, version, origin, last } = change;
    return {
      event: "order.deleted",
      subject: posReference,
      data: () => ({ posReference, version, origin, snapshot: last.snapshot }),
    };
  }
  if (change.kind === "table.changed" && change.statusChanged && change.table.status !== "reserved") {
    const { table, origin } = change;
    const { tableId, status, posReference } = table;
    return {
      event: "table.updated",
      subject: `table ${tableId}`,
      data: () => ({ tableId, status, posReference, origin }),
    };
  }
  return null;
}
