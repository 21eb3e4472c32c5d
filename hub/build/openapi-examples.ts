import { type ExternalRouteName, type WebhookDelivery, WebhookEvent } from "@comanda/protocol";
import { isoTime } from "../platform/world.ts";
import { eventData, sampleLine, sampleSnapshot } from "../webhooks/sample-events.ts";
import type { RouteExamples } from "./emit-openapi.ts";

const posReference = "EXT/3f9c2a7be041/web-1001";

const createdAt = Date.parse("2026-11-20T18:04:11.512Z");
const line = sampleLine;
const snapshot = sampleSnapshot(posReference, createdAt);

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
const flan = { productId: "134", quantity: 1, unitPrice: 190, total: 243.2, taxIds: ["1", "2"], taxAmount: 53.2 };

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
  readMenu: {
    answers: {
      200: {
        currency: "DOP",
        categories: [{ id: "4", name: "Bebidas" }],
        taxes: [
          { id: "1", name: "ITBIS 18 %", rate: 18, included: false, orderTypes: ["dine_in", "takeout", "delivery"] },
        ],
        products: [
          { id: "128", name: "Café", price: 80, categoryId: "4", taxIds: ["1"], state: "available" },
          { id: "131", name: "Jugo de chinola", price: 120, categoryId: "4", taxIds: ["1"], state: "limited", left: 3 },
        ],
        asOf: "2026-11-20T18:03:40.020Z",
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
      lines: [line, flan],
    },
    answers: {
      200: {
        posReference,
        version: 2,
        snapshot: {
          ...snapshot,
          updatedAt: "2026-11-20T18:10:45.003Z",
          lines: [line, { id: "ext-1-02bd", ...flan }],
          totals: { subtotal: 350, tax: 98, total: 448 },
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

export const deliveryExamples = Object.fromEntries(
  WebhookEvent.options.map((event, index) => [
    event,
    {
      id: 4711 + index,
      event,
      timestamp: isoTime(createdAt),
      data: eventData(event, { posReference, origin: "ext:3f9c2a7be041" }, createdAt),
    },
  ]),
) as Record<WebhookEvent, WebhookDelivery>;
