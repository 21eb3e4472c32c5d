import { z } from "zod";
import { FloorPlan } from "./floor-plan.ts";
import { Deleted, type HttpApi } from "./http-route.ts";
import { keyRoutes } from "./key-administration.ts";
import { CreateOrder, OrderSummary, Snapshot, StoredOrder, UpdateOrder } from "./orders.ts";
import { PluginRecord, PostPluginEvent } from "./plugins.ts";
import { TableState } from "./tables.ts";
import { CreateWebhook, SetWebhookSecret, WebhookCreated, WebhookError, WebhookSubscription } from "./webhooks.ts";

/** The answer to a write of an order. */
export const WrittenOrder = z.object({ posReference: z.string(), version: z.int().positive(), snapshot: Snapshot });
export type WrittenOrder = z.infer<typeof WrittenOrder>;

/** The POS session as integrations see it. */
export const ExternalSession = z.union([
  z.object({ active: z.literal(true), sessionId: z.union([z.int(), z.string()]), sessionName: z.string() }),
  z.object({ active: z.literal(false) }),
]);
export type ExternalSession = z.infer<typeof ExternalSession>;

/** `status` of the order list. */
export const OrderListQuery = z.object({
  status: z.enum(["active", "all"], { error: "must be active or all" }).default("active"),
});

/** What integrations read and do with an API key. */
export const externalApi = {
  prefix: "/external/v1",
  budgets: ["peer", "key"],
  credential: "key",
  routes: {
    readSession: {
      method: "GET",
      path: "/external/v1/session",
      access: "read",
      summary: "Returns whether the point-of-sale session is open.",
      answerSummary: "The session.",
      answer: ExternalSession,
    },
    listTables: {
      method: "GET",
      path: "/external/v1/tables",
      access: "read",
      summary: "Lists the live state of every table that the hub has seen.",
      answerSummary: "The tables.",
      answer: z.object({ tables: z.array(TableState) }),
    },
    readFloorPlan: {
      method: "GET",
      path: "/external/v1/floor-plan",
      access: "read",
      summary:
        "Returns the floors of the back-office with every table's live status; a table's id is what orders name as tableId.",
      answerSummary: "The floor plan; `stale` when the last refresh failed.",
      answer: FloorPlan,
      errors: ["UPSTREAM_UNAVAILABLE", "NOT_CONFIGURED"],
    },
    listOrders: {
      method: "GET",
      path: "/external/v1/orders",
      access: "read",
      summary:
        "Lists orders, newest activity first. `status=all` streams every order there is, one such list of a key at a time; an answer whose connection ends before its JSON does has failed.",
      query: OrderListQuery,
      answerSummary: "The orders.",
      answer: z.object({ orders: z.array(OrderSummary) }),
    },
    readOrder: {
      method: "GET",
      path: "/external/v1/orders/:ref",
      access: "read",
      summary: "Returns one order as it is stored.",
      answerSummary: "The order.",
      answer: StoredOrder,
    },
    createOrder: {
      method: "POST",
      path: "/external/v1/orders",
      access: "orders:write",
      summary:
        "Opens a check. A request with an externalRef can be repeated: it returns the check that it opened first.",
      body: CreateOrder,
      answerSummary: "The check was opened.",
      answer: WrittenOrder,
      status: 201,
      otherAnswer: { status: 200, summary: "The check that this externalRef opened before.", answer: StoredOrder },
      errors: [
        "TOTALS_MISMATCH",
        "UNKNOWN_TABLE",
        "NO_ACTIVE_SESSION",
        "TABLE_OCCUPIED",
        "ORDER_LOCKED",
        "STORAGE_FULL",
      ],
    },
    updateOrder: {
      method: "PATCH",
      path: "/external/v1/orders/:ref",
      access: "orders:write",
      summary: "Changes an open check. `lines` replaces all lines; lines that the kitchen has must stay.",
      body: UpdateOrder,
      answerSummary: "The check was changed.",
      answer: WrittenOrder,
      errors: ["ORDER_LOCKED", "CONFLICT", "SENT_LINES_IMMUTABLE", "STORAGE_FULL"],
    },
    listWebhooks: {
      method: "GET",
      path: "/external/v1/webhooks",
      access: "webhooks:manage",
      summary: "Lists the webhook subscriptions, without their secrets.",
      answerSummary: "The subscriptions.",
      answer: z.object({ webhooks: z.array(WebhookSubscription) }),
    },
    createWebhook: {
      method: "POST",
      path: "/external/v1/webhooks",
      access: "webhooks:manage",
      summary: "Subscribes an address to events; the secret that signs them is returned only here.",
      body: CreateWebhook,
      answerSummary: "The subscription was created.",
      answer: WebhookCreated,
      status: 201,
      errors: ["LIMIT_REACHED", "STORAGE_FULL"],
    },
    deleteWebhook: {
      method: "DELETE",
      path: "/external/v1/webhooks/:id",
      access: "webhooks:manage",
      summary: "Deletes a subscription; what is queued for it is not delivered.",
      answerSummary: "The subscription was deleted.",
      answer: Deleted,
      errors: ["STORAGE_FULL"],
    },
    setWebhookSecret: {
      method: "POST",
      path: "/external/v1/webhooks/:id/secret",
      access: "webhooks:manage",
      summary:
        "Sets a new secret for one of this key's own subscriptions, such as one that the hub has lost; it is returned only here.",
      body: SetWebhookSecret,
      answerSummary: "It signs with this secret from now on.",
      answer: WebhookCreated,
      errors: ["STORAGE_FULL"],
    },
    testWebhook: {
      method: "POST",
      path: "/external/v1/webhooks/:id/test",
      access: "webhooks:manage",
      summary: "Sends one signed `webhook.test` to the address and waits for the answer, 5 s at most.",
      answerSummary: "What came of it.",
      answer: z.union([
        z.object({ sent: z.literal(true), status: z.int() }),
        z.object({ sent: z.literal(false), error: WebhookError }),
      ]),
    },
    listPluginEvents: {
      method: "GET",
      path: "/external/v1/plugins/:pluginId/events",
      access: "read",
      summary: "Lists the live records of a plugin.",
      answerSummary: "The records.",
      answer: z.object({ events: z.array(PluginRecord) }),
    },
    readPluginEvent: {
      method: "GET",
      path: "/external/v1/plugins/:pluginId/events/:key",
      access: "read",
      summary: "Returns one live record of a plugin.",
      answerSummary: "The record.",
      answer: PluginRecord,
    },
    postPluginEvent: {
      method: "POST",
      path: "/external/v1/plugins/:pluginId/events",
      access: "plugins:write",
      summary: "Stores a record, replacing the one with its key, and shows it on terminals that understand it.",
      body: PostPluginEvent,
      answerSummary: "The record as it is stored.",
      answer: PluginRecord,
      status: 202,
      errors: ["STORAGE_FULL"],
    },
    deletePluginEvent: {
      method: "DELETE",
      path: "/external/v1/plugins/:pluginId/events/:key",
      access: "plugins:write",
      summary: "Removes a record, from terminals too.",
      answerSummary: "The record was deleted.",
      answer: Deleted,
      errors: ["STORAGE_FULL"],
    },
  },
} as const satisfies HttpApi;

/** Every route of the integration documents: those of an API key, and the key administration. */
export const externalRoutes = { ...keyRoutes, ...externalApi.routes };
export type ExternalRouteName = keyof typeof externalRoutes;
