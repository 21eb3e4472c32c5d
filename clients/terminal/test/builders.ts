import type {
  HubMessageOf,
  ItemState,
  KitchenTicket,
  PluginRecord,
  StoredOrder,
  TableState,
  TicketLine,
  TicketShare,
} from "@comanda/protocol";
import fc from "fast-check";
import { totalsOfLines } from "../src/orders/merge-totals.ts";
import type { OrderContent, OrderLine } from "../src/orders/order-content.ts";
import type { Intent, OutboxEntry } from "../src/outbox/entries/outbox-entry.ts";

export function line(id: string, fields: Partial<OrderLine> = {}): OrderLine {
  return { id, productId: 7, quantity: 1, unitPrice: fields.total ?? 1, total: 1, ...fields };
}

export function content(lines: OrderLine[], fields: OrderContent = {}): OrderContent {
  return { orderType: "dine_in", tableId: 4, guestCount: 1, lines, totals: totalsOfLines(lines), ...fields };
}

/** An order as stored by a hub, with the fields that the back-office requires of every line. */
export function storedOrder(posReference: string, version: number, order: OrderContent = content([])): StoredOrder {
  const at = "2026-11-21T20:00:00.000Z";
  const stamp = "2026-11-21 20:00:00";
  const { lines = [], totals = totalsOfLines(lines), tableId = 4, ...fields } = order;
  return {
    posReference,
    version,
    tableId: tableId ?? null,
    terminalId: "other",
    createdAt: stamp,
    updatedAt: stamp,
    snapshot: {
      guestCount: 1,
      orderType: "dine_in",
      ...fields,
      posReference,
      status: "open",
      tableId: tableId ?? null,
      createdAt: at,
      updatedAt: at,
      lines: lines.map((each) => ({ unitPrice: 0, taxIds: [], taxAmount: 0, ...each })),
      totals,
    },
  } as StoredOrder;
}

let place = 0;
export function entry(intent: Intent, fields: Partial<OutboxEntry> = {}): OutboxEntry {
  place += 1;
  const id = `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
  return {
    id,
    place,
    queuedAt: "2026-11-21T20:00:00.000Z",
    mutationId: id,
    intent,
    message: null,
    refusal: null,
    ...fields,
  };
}

export function table(tableId: number, fields: Partial<TableState> = {}): TableState {
  return {
    tableId,
    status: "available",
    posReference: null,
    updatedAt: "2026-11-21T20:00:00.000Z",
    lock: null,
    ...fields,
  };
}

export function pluginRecord(key: string, payload: Record<string, unknown>, pluginId = "reservations"): PluginRecord {
  const at = "2026-11-21T18:00:00.000Z";
  return { pluginId, key, payload, version: 1, createdAt: at, updatedAt: at, expiresAt: null };
}

/** A share of a line, with nothing prepared or cancelled. */
export function share(posReference: string, lineId: string, quantity: number): TicketShare {
  return { posReference, lineId, quantity, preparedQuantity: 0, cancelledQuantity: 0 };
}

export function ticketLine(lineId: string, shares: TicketShare[], fields: Partial<TicketLine> = {}): TicketLine {
  return {
    lineId,
    productId: 7,
    name: lineId,
    quantity: shares.reduce((sum, { quantity }) => sum + quantity, 0),
    preparedQuantity: 0,
    cancelledQuantity: 0,
    state: "unseen",
    kitchenLineId: `kitchen ${lineId}`,
    isSeen: false,
    isServed: false,
    shares,
    ...fields,
  };
}

export function ticket(id: string, fields: Partial<KitchenTicket> = {}): KitchenTicket {
  return {
    id,
    posReference: "A",
    stationId: "grill",
    stationName: "Grill",
    orderType: "dine_in",
    tableId: 4,
    checkNumber: 1,
    ticketNumber: null,
    customerName: null,
    sentAt: "2026-11-21T20:00:00.000Z",
    sentBy: "Ana",
    terminalId: "tablet-1",
    seen: [],
    serving: false,
    lines: [ticketLine("soup", [share("A", "soup", 2)])],
    readyAt: null,
    isOver: false,
    ...fields,
  };
}

export function itemState(productId: number, fields: Partial<ItemState> = {}): ItemState {
  return { productId, state: "out", left: null, until: null, updatedAt: "2026-11-21T20:00:00.000Z", ...fields };
}

export function syncPage(fields: Partial<HubMessageOf<"SYNC">> = {}): HubMessageOf<"SYNC"> {
  return {
    type: "SYNC",
    mode: "full",
    seq: 10,
    hubId: "hub-1",
    epoch: "epoch-1",
    orders: [],
    removedOrders: [],
    tables: [],
    leases: [],
    pluginRecords: [],
    removedPluginRecords: [],
    more: false,
    ...fields,
  };
}

const anyLine = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  productId: fc.constantFrom<string | number>(7, "7", 8),
  quantity: fc.integer({ min: 1, max: 5 }),
  total: fc.integer({ min: 0, max: 5_000 }).map((cents) => cents / 100),
  voided: fc.boolean(),
});

/** Contents that share a few line ids and fields, so that they collide. */
export const anyContent: fc.Arbitrary<OrderContent> = fc
  .record({
    lines: fc.uniqueArray(anyLine, { selector: (each) => each.id, maxLength: 5 }),
    notes: fc.option(fc.constantFrom("window", "terrace"), { nil: null }),
    guestCount: fc.integer({ min: 1, max: 3 }),
    tableId: fc.constantFrom(4, 5),
  })
  .map(({ lines, ...fields }) => content(lines, fields));
