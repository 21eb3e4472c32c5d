import type { ExternalRouteName, Snapshot, WebhookDelivery, WebhookEvent } from "@comanda/protocol";
import type { RouteExamples } from "./emit-openapi.ts";

const posReference = "EXT/3f9c2a7be041/web-1001";

const line = {
  id: "ext-0-9f3a",
  productId: "101",
  quantity: 2,
  unitPrice: 175,
  total: 350,
  taxIds: ["1"],
  taxAmount: 53.39,
  note: "no sugar",
};

const snapshot: Snapshot = {
  posReference,
  status: "open",
  orderType: "dine_in",
  tableId: 31,
  customerName: "Ana",
  notes: null,
  guestCount: 2,
  staffName: "Webshop",
  checkNumber: 1,
  createdAt: "2026-11-20T18:04:11.512Z",
  updatedAt: "2026-11-20T18:04:11.512Z",
  lines: [line],
  totals: { subtotal: 296.61, tax: 53.39, total: 350 },
};

const stored = {
  posReference,
  version: 1,
  tableId: 31,
  terminalId: "ext:3f9c2a7be041",
  createdAt: "2026-11-20 18:04:11",
  updatedAt: "2026-11-20 18:04:11",
  snapshot,
};

const { id: _, ...lineAsSent } = line;

const record = {
  pluginId: "reservations",
  key: "booking-77",
  payload: { tableId: 31, at: "2026-11-20T20:30:00-04:00", guestName: "Ana Lucía", partySize: 4 },
  version: 1,
  createdAt: "2026-11-20T18:00:00.000Z",
  updatedAt: "2026-11-20T18:00:00.000Z",
  expiresAt: "2026-11-21T02:00:00.000Z",
};

const webhook = {
  id: "ws_5b0c9e3f1a77d2c481",
  url: "http://192.168.1.40:5678/hook",
  events: ["order.created", "order.paid"],
};

export const examples: Readonly<Record<ExternalRouteName, RouteExamples>> = {
  listKeys: {
    answers: {
      200: {
        keys: [
          {
            keyId: "3f9c2a7be041",
            label: "Webshop",
            scopes: ["read", "orders:write"],
            enabled: true,
            createdAt: "2026-11-20 17:55:02",
            lastUsedAt: "2026-11-20 18:04:11",
          },
        ],
      },
    },
  },
  createKey: {
    body: { label: "Webshop", scopes: ["read", "orders:write"] },
    answers: { 201: { keyId: "3f9c2a7be041", token: "hub_3f9c2a7be041_<64 hexadecimal digits>" } },
  },
  updateKey: { body: { enabled: false }, answers: { 200: { keyId: "3f9c2a7be041", enabled: false } } },
  deleteKey: { answers: { 200: { deleted: true } } },
  readSession: { answers: { 200: { active: true, sessionId: 12, sessionName: "POS/00012" } } },
  listTables: {
    answers: {
      200: {
        tables: [{ tableId: 31, status: "occupied", posReference, updatedAt: "2026-11-20T18:04:11.512Z", lock: null }],
      },
    },
  },
  readFloorPlan: {
    answers: {
      200: {
        stale: false,
        fetchedAt: "2026-11-20T18:03:40.020Z",
        floors: [
          {
            id: 3,
            name: "Salón",
            tables: [{ id: 31, name: "Mesa 4", seats: 4, floorId: 3, status: "occupied", lock: null }],
          },
        ],
      },
    },
  },
  listOrders: {
    answers: {
      200: {
        orders: [
          {
            posReference,
            version: 1,
            tableId: 31,
            status: "open",
            orderType: "dine_in",
            ticketNumber: null,
            customerName: "Ana",
            itemCount: 1,
            totals: snapshot.totals,
            updatedAt: "2026-11-20 18:04:11",
            origin: "ext:3f9c2a7be041",
          },
        ],
      },
    },
  },
  readOrder: { answers: { 200: stored } },
  createOrder: {
    body: {
      externalRef: "web-1001",
      tableId: 31,
      customerName: "Ana",
      guestCount: 2,
      lines: [lineAsSent],
      totals: snapshot.totals,
    },
    answers: { 201: { posReference, version: 1, snapshot }, 200: stored },
  },
  updateOrder: {
    body: {
      baseVersion: 1,
      lines: [line, { productId: "205", quantity: 1, unitPrice: 95, total: 95, taxIds: ["1"], taxAmount: 14.49 }],
    },
    answers: {
      200: {
        posReference,
        version: 2,
        snapshot: {
          ...snapshot,
          updatedAt: "2026-11-20T18:10:45.003Z",
          lines: [
            line,
            {
              id: "ext-1-02bd",
              productId: "205",
              quantity: 1,
              unitPrice: 95,
              total: 95,
              taxIds: ["1"],
              taxAmount: 14.49,
            },
          ],
          totals: { subtotal: 377.12, tax: 67.88, total: 445 },
        },
      },
    },
  },
  listWebhooks: {
    answers: {
      200: {
        webhooks: [{ ...webhook, enabled: true, createdBy: "3f9c2a7be041", createdAt: "2026-11-20 17:58:30" }],
      },
    },
  },
  createWebhook: {
    body: { url: webhook.url, events: webhook.events },
    answers: { 201: { ...webhook, secret: "whsec_<43 characters>" } },
  },
  deleteWebhook: { answers: { 200: { deleted: true } } },
  setWebhookSecret: { body: {}, answers: { 200: { ...webhook, secret: "whsec_<43 characters>" } } },
  testWebhook: { answers: { 200: { sent: true, status: 200 } } },
  listPluginEvents: { answers: { 200: { events: [record] } } },
  readPluginEvent: { answers: { 200: record } },
  postPluginEvent: {
    body: { key: record.key, payload: record.payload, ttlSeconds: 28_800 },
    answers: { 202: record },
  },
  deletePluginEvent: { answers: { 200: { deleted: true } } },
};

const at = "2026-11-20T18:04:11.512Z";
const origin = "ext:3f9c2a7be041";
const orderData = { posReference, version: 1, origin, snapshot };

/** A delivery of every webhook event. */
export const deliveryExamples: Readonly<Record<WebhookEvent, WebhookDelivery>> = {
  "order.created": { id: 4711, event: "order.created", timestamp: at, data: orderData },
  "order.updated": { id: 4713, event: "order.updated", timestamp: at, data: { ...orderData, version: 2 } },
  "order.paid": {
    id: 4714,
    event: "order.paid",
    timestamp: at,
    data: { ...orderData, version: 3, snapshot: { ...snapshot, status: "paid" } },
  },
  "order.deleted": { id: 4715, event: "order.deleted", timestamp: at, data: { ...orderData, version: 4 } },
  "table.updated": {
    id: 4712,
    event: "table.updated",
    timestamp: at,
    data: { tableId: 31, status: "occupied", posReference, origin },
  },
};
