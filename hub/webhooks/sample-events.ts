import type { OrderEventData, Snapshot, TableEventData, WebhookEvent } from "@comanda/protocol";
import { isoTime } from "../platform/world.ts";

/** The subject of a sample: an order that no hub has, on a table of the back-office stand-in's menu. */
const sample = { posReference: "TEST/web-1001", origin: "hub" };

/** Returns the `data` of a sample event for a test. `at` is wall time, ms since 1970. */
export function sampleData(event: WebhookEvent, at: number): OrderEventData | TableEventData {
  return eventData(event, sample, at);
}

/** Returns an event's `data`, also for the documents. The versions are those of one check, from open to end. */
export function eventData(
  event: WebhookEvent,
  about: { posReference: string; origin: string },
  at: number,
): OrderEventData | TableEventData {
  const { posReference, origin } = about;
  if (event === "table.updated") return { tableId: 31, status: "occupied", posReference, origin };
  const version = { "order.created": 1, "order.updated": 2, "order.paid": 3, "order.deleted": 4 }[event];
  const status = event === "order.paid" ? "paid" : "open";
  return { posReference, version, origin, snapshot: { ...sampleSnapshot(posReference, at), status } };
}

/** Returns a check with one line: two coffees at a table, with tax and legal tip. */
export function sampleSnapshot(posReference: string, at: number): Snapshot {
  return {
    posReference,
    status: "open",
    orderType: "dine_in",
    tableId: 31,
    customerName: "Ana",
    notes: null,
    guestCount: 2,
    staffName: "Webshop",
    checkNumber: 1,
    createdAt: isoTime(at),
    updatedAt: isoTime(at),
    lines: [sampleLine],
    totals: { subtotal: 160, tax: 44.8, total: 204.8 },
  };
}

export const sampleLine = {
  id: "ext-0-9f3a",
  productId: "128",
  quantity: 2,
  unitPrice: 80,
  total: 204.8,
  taxIds: ["1", "2"],
  taxAmount: 44.8,
  note: "sin azúcar",
};
