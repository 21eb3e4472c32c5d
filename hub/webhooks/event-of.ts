import type { OrderEventData, TableEventData, WebhookEvent } from "@comanda/protocol";
import type { Change, OrderEvent } from "../changes/change.ts";
import { appendJsonField } from "../platform/append-json-field.ts";

/** A change as its webhook event. */
interface ChangeEvent {
  event: WebhookEvent;
  /** The order or table that it is about. */
  subject: string;
  /** `OrderEventData` or `TableEventData`, serialized. */
  dataJson(): string;
}

const eventOfOrder: Readonly<Record<Exclude<OrderEvent, "forwarded">, WebhookEvent>> = {
  created: "order.created",
  updated: "order.updated",
  paid: "order.paid",
};

/** The webhook event of a change, or null: locks, reservations, plugin records and forwarding have none. */
export function eventOf(change: Change): ChangeEvent | null {
  if (change.kind === "order.stored" && change.event !== "forwarded") {
    const { order, origin, snapshotJson } = change;
    const { posReference, version } = order;
    return {
      event: eventOfOrder[change.event],
      subject: posReference,
      dataJson: () => orderData({ posReference, version, origin }, snapshotJson),
    };
  }
  if (change.kind === "order.removed") {
    const { posReference, version, origin, last } = change;
    return {
      event: "order.deleted",
      subject: posReference,
      dataJson: () => orderData({ posReference, version, origin }, JSON.stringify(last.snapshot)),
    };
  }
  if (change.kind === "table.changed" && change.statusChanged && change.table.status !== "reserved") {
    const { table, origin } = change;
    const { tableId, status, posReference } = table;
    return {
      event: "table.updated",
      subject: `table ${tableId}`,
      dataJson: () => JSON.stringify({ tableId, status, posReference, origin } satisfies TableEventData),
    };
  }
  return null;
}

function orderData(head: Omit<OrderEventData, "snapshot">, snapshotJson: string): string {
  return appendJsonField(JSON.stringify(head), "snapshot", snapshotJson);
}
