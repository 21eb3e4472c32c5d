import { z } from "zod";
import { IsoTime } from "../basics/fields.ts";
import { BackOfficeTax } from "../back-office/bootstrap.ts";
import { FloorPlan } from "../floor/floor-plan.ts";
import { Deleted, route, type HttpApi } from "../http/http-route.ts";
import { ItemState } from "../orders/kitchen.ts";
import { keyRoutes } from "./key-administration.ts";
import { CreateOrder, OrderSummary, Snapshot, StoredOrder, UpdateOrder } from "../orders/orders.ts";
import { PluginRecord, PostPluginEvent } from "../orders/plugins.ts";
import { TableState } from "../floor/tables.ts";
import { CreateWebhook, SetWebhookSecret, WebhookCreated, WebhookError, WebhookSubscription } from "./webhooks.ts";

/** The answer to a write of an order. */
export const WrittenOrder = z.object({ posReference: z.string(), version: z.int().positive(), snapshot: Snapshot });
export type WrittenOrder = z.infer<typeof WrittenOrder>;

/** The POS session as integrations see it. */
export const ExternalSession = z.union([
  z.object({ active: z.literal(true), sessionId: z.union([z.int(), z.string()]), sessionName: z.string() }),
  z.object({ active: z.literal(false) }),
]);

/** A back-office id as a string, the form that orders use. */
const menuId = z.string();

/**
 * What the point of sale sells, from the last successful read of its configuration. `price` excludes the taxes that are not
 * `included`. `rate` is in percent. A tax applies only to its order types.
 */
export const ExternalMenu = z.object({
  currency: z.string(),
  categories: z.array(z.object({ id: menuId, name: z.string() })),
  taxes: z.array(z.object({ ...BackOfficeTax.shape, id: menuId })),
  products: z.array(
    z.object({
      id: menuId,
      name: z.string(),
      price: z.number(),
      categoryId: menuId,
      taxIds: z.array(menuId),
      state: ItemState.shape.state.describe(
        "`out`: sold out, it cannot be sent to the kitchen; `limited`: only `left` of it remain",
      ),
      left: z.number().optional(),
    }),
  ),
  asOf: IsoTime.describe("when the menu was last confirmed by the back-office"),
});
export type ExternalMenu = z.infer<typeof ExternalMenu>;

/** The `status` filter of the order list. */
export const OrderListQuery = z.object({
  status: z.enum(["active", "all"], { error: "must be active or all" }).default("active"),
});

/** The API for integrations, which use an API key. */
export const externalApi = {
  prefix: "/external/v1",
  budgets: ["peer", "key"],
  credential: "key",
  routes: {
    readSession: route("GET", "/external/v1/session", "read", {
      summary: "Returns whether the point-of-sale session is open.",
      answerSummary: "The session.",
      answer: ExternalSession,
    }),
    listTables: route("GET", "/external/v1/tables", "read", {
      summary: "Lists the live state of every table that the hub has seen.",
      answerSummary: "The tables.",
      answer: z.object({ tables: z.array(TableState) }),
    }),
    readFloorPlan: route("GET", "/external/v1/floor-plan", "read", {
      summary:
        "Returns the floors of the back-office with every table's live status. Use a table's id as the tableId of an order.",
      answerSummary: "The floor plan; `stale` when the last refresh failed.",
      answer: FloorPlan,
      errors: ["UPSTREAM_UNAVAILABLE", "NOT_CONFIGURED"],
    }),
    readMenu: route("GET", "/external/v1/menu", "read", {
      summary:
        "Returns the products with prices, taxes and availability. Use a product's id as the productId of an order line.",
      answerSummary: "The menu.",
      answer: ExternalMenu,
      errors: ["UPSTREAM_UNAVAILABLE"],
    }),
    listOrders: route("GET", "/external/v1/orders", "read", {
      summary:
        "Lists orders, newest activity first. `status=all` streams all orders; each key can read one such list at a time. If the connection ends before the JSON is complete, the request has failed.",
      query: OrderListQuery,
      answerSummary: "The orders.",
      answer: z.object({ orders: z.array(OrderSummary) }),
    }),
    readOrder: route("GET", "/external/v1/orders/:ref", "read", {
      summary: "Returns one order as stored.",
      answerSummary: "The order.",
      answer: StoredOrder,
    }),
    createOrder: route("POST", "/external/v1/orders", "orders:write", {
      summary:
        "Opens a check. Repeating a request with the same externalRef returns the check opened by the first one.",
      body: CreateOrder,
      answerSummary: "The check was opened.",
      answer: WrittenOrder,
      status: 201,
      otherAnswer: {
        status: 200,
        summary: "The check that was already opened with this externalRef.",
        answer: StoredOrder,
      },
      errors: ["TOTALS_MISMATCH", "UNKNOWN_TABLE", "NO_ACTIVE_SESSION", "TABLE_OCCUPIED", "ORDER_LOCKED"],
    }),
    updateOrder: route("PATCH", "/external/v1/orders/:ref", "orders:write", {
      summary:
        "Changes an open check. `lines` replaces all lines and must include those already sent to the kitchen. At least one of `lines`, `customerName`, `notes` and `guestCount` is required.",
      body: UpdateOrder,
      answerSummary: "The check was changed.",
      answer: WrittenOrder,
      errors: ["ORDER_LOCKED", "CONFLICT", "SENT_LINES_IMMUTABLE", "HAS_PAYMENTS"],
    }),
    listWebhooks: route("GET", "/external/v1/webhooks", "webhooks:manage", {
      summary: "Lists the webhook subscriptions, without their secrets.",
      answerSummary: "The subscriptions.",
      answer: z.object({ webhooks: z.array(WebhookSubscription) }),
    }),
    createWebhook: route("POST", "/external/v1/webhooks", "webhooks:manage", {
      summary: "Subscribes an address to events. The signing secret is returned only here.",
      body: CreateWebhook,
      answerSummary: "The subscription was created.",
      answer: WebhookCreated,
      status: 201,
      errors: ["LIMIT_REACHED"],
    }),
    deleteWebhook: route("DELETE", "/external/v1/webhooks/:id", "webhooks:manage", {
      summary: "Deletes a subscription. Its queued deliveries are not sent.",
      answerSummary: "The subscription was deleted.",
      answer: Deleted,
    }),
    setWebhookSecret: route("POST", "/external/v1/webhooks/:id/secret", "webhooks:manage", {
      summary:
        "Sets a new secret for a subscription created by this key, for example after the hub has lost the old one. The secret is returned only here.",
      body: SetWebhookSecret,
      answerSummary: "Deliveries are signed with this secret from now on.",
      answer: WebhookCreated,
    }),
    testWebhook: route("POST", "/external/v1/webhooks/:id/test", "webhooks:manage", {
      summary: "Sends one signed `webhook.test` to the address and waits for the response, for 5 s at most.",
      answerSummary: "The result of the test.",
      answer: z.union([
        z.object({ sent: z.literal(true), status: z.int() }),
        z.object({ sent: z.literal(false), error: WebhookError }),
      ]),
    }),
    listPluginEvents: route("GET", "/external/v1/plugins/:pluginId/events", "read", {
      summary: "Lists the live records of a plugin.",
      answerSummary: "The records.",
      answer: z.object({ events: z.array(PluginRecord) }),
    }),
    readPluginEvent: route("GET", "/external/v1/plugins/:pluginId/events/:key", "read", {
      summary: "Returns one live record of a plugin.",
      answerSummary: "The record.",
      answer: PluginRecord,
    }),
    postPluginEvent: route("POST", "/external/v1/plugins/:pluginId/events", "plugins:write", {
      summary:
        "Stores a record, replacing any record with the same key, and shows it on terminals that support the plugin. `warnings` says why terminals will not show a booking.",
      body: PostPluginEvent,
      opaque: "payload",
      answerSummary: "The record as stored.",
      answer: PluginRecord,
      status: 202,
    }),
    deletePluginEvent: route("DELETE", "/external/v1/plugins/:pluginId/events/:key", "plugins:write", {
      summary: "Deletes a record, also from terminals.",
      answerSummary: "The record was deleted.",
      answer: Deleted,
    }),
  },
} as const satisfies HttpApi;

/** Every route of the integration documents: those with an API key, and the key administration. */
export const externalRoutes = { ...keyRoutes, ...externalApi.routes };
export type ExternalRouteName = keyof typeof externalRoutes;
