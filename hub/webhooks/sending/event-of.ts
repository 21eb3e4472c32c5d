import { WebhookEvent, type OrderEventData, type TableEventData } from "@comanda/protocol";
import type { Change, OrderEvent } from "../../changes/change.ts";
import { presentSnapshot } from "../../orders/lists/present-order.ts";

/** Prefix of a table's subject; the table's id follows. */
const TABLE_SUBJECT = "table ";

interface ChangeEvent {
  event: WebhookEvent;
  /** The order or table of the event. */
  subject: string;
  /** `OrderEventData` or `TableEventData`, serialized. */
  dataJson(): string;
}

/** Maps a change to one kind of event, or to null if it is not this event. */
type Source = (change: Change) => Omit<ChangeEvent, "event"> | null;

const orderStored =
  (event: OrderEvent): Source =>
  (change) => {
    if (change.kind !== "order.stored" || change.event !== event) return null;
    const { order, origin } = change;
    const { posReference, version, snapshot } = order;
    return {
      subject: posReference,
      dataJson: () => orderData({ posReference, version, origin, snapshot }),
    };
  };

/** The source of each webhook event. Locks, reservations, plugin records and forwarding cause none. */
const sources: Readonly<Record<WebhookEvent, Source>> = {
  "order.created": orderStored("created"),
  "order.updated": orderStored("updated"),
  "order.paid": orderStored("paid"),
  "order.deleted"(change) {
    if (change.kind !== "order.removed") return null;
    const { posReference, version, origin, last, mergedInto } = change;
    const { snapshot } = last;
    const data = { posReference, version, origin, ...(mergedInto !== undefined && { mergedInto }), snapshot };
    return { subject: posReference, dataJson: () => orderData(data) };
  },
  "table.updated"(change) {
    if (change.kind !== "table.changed" || !change.statusChanged || change.table.status === "reserved") return null;
    const { table, origin } = change;
    const { tableId, status, posReference } = table;
    return {
      subject: subjectOfTable(tableId),
      dataJson: () => JSON.stringify({ tableId, status, posReference, origin } satisfies TableEventData),
    };
  },
};

/** Returns the webhook event of a change, or null if it causes none. */
export function eventOf(change: Change): ChangeEvent | null {
  for (const event of WebhookEvent.options) {
    const found = sources[event](change);
    if (found !== null) return { event, ...found };
  }
  return null;
}

export function subjectOfTable(tableId: number): string {
  return `${TABLE_SUBJECT}${tableId}`;
}

/** Returns the table of a delivery, or null if its event is about an order. */
export function tableOfSubject(event: string, subject: string): number | null {
  return event === "table.updated" ? Number(subject.slice(TABLE_SUBJECT.length)) : null;
}

function orderData(data: OrderEventData): string {
  return JSON.stringify({ ...data, snapshot: presentSnapshot(data.snapshot) });
}
