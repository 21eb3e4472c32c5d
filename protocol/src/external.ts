import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import { FloorPlan } from "./floor-plan.ts";
import { ApiKey, CreateKey, type Scope, UpdateKey } from "./keys.ts";
import { CreateOrder, OrderSummary, Snapshot, StoredOrder, UpdateOrder } from "./orders.ts";
import { PluginRecord, PostPluginEvent } from "./plugins.ts";
import { TableState } from "./tables.ts";
import { CreateWebhook, SetWebhookSecret, WebhookEvent, WebhookError, WebhookSubscription } from "./webhooks.ts";

/** Where every path of the integration API begins. */
export const EXTERNAL_PREFIX = "/external/v1";
export const KEYS_PREFIX = "/external-keys";

/** What a 2xx answer means, and its body. */
export interface ExternalAnswer {
  status: 200 | 201 | 202;
  does: string;
  body: z.ZodType;
}

export interface ExternalRoute {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `:name` stands for one URL-encoded segment. */
  path: string;
  /** The scope that the key needs; `manager` for a back-office manager's session token. */
  who: Scope | "manager";
  /** What it does, in one sentence for the documents. */
  does: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  answers: readonly [ExternalAnswer, ...ExternalAnswer[]];
  /** Refusals beside those that every route knows. */
  refuses: readonly ErrorCode[];
}

/** Refusals that any route may answer with. */
export const commonRefusals = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
] as const satisfies readonly ErrorCode[];

/** What a write answers. */
export const WrittenOrder = z.object({ posReference: z.string(), version: z.int().positive(), snapshot: Snapshot });
export type WrittenOrder = z.infer<typeof WrittenOrder>;

/** The POS session as integrations see it. */
export const ExternalSession = z.union([
  z.object({ active: z.literal(true), sessionId: z.union([z.int(), z.string()]), sessionName: z.string() }),
  z.object({ active: z.literal(false) }),
]);
export type ExternalSession = z.infer<typeof ExternalSession>;

/** `status` of the order list. */
export const OrderListQuery = z.object({ status: z.enum(["active", "all"]).default("active") });

const Deleted = z.object({ deleted: z.literal(true) });
const eventNames = z.array(z.union([WebhookEvent, z.literal("*")]));
const WebhookWithSecret = z.object({ id: z.string(), url: z.string(), events: eventNames, secret: z.string() });
const ok = (does: string, body: z.ZodType): ExternalAnswer => ({ status: 200, does, body });

/** The whole integration API: the documents and the client are made from this table, and the hub is held to it. */
export const externalRoutes = {
  listKeys: {
    method: "GET",
    path: "/external-keys",
    who: "manager",
    does: "Lists the API keys, without their tokens.",
    answers: [ok("The keys.", z.object({ keys: z.array(ApiKey) }))],
    refuses: ["UPSTREAM_UNAVAILABLE"],
  },
  createKey: {
    method: "POST",
    path: "/external-keys",
    who: "manager",
    does: "Makes an API key; its token is shown this once.",
    body: CreateKey,
    answers: [{ status: 201, does: "The key was made.", body: z.object({ keyId: z.string(), token: z.string() }) }],
    refuses: ["VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "UPSTREAM_UNAVAILABLE"],
  },
  updateKey: {
    method: "PATCH",
    path: "/external-keys/:keyId",
    who: "manager",
    does: "Disables a key, with effect at the next request, or enables it again.",
    body: UpdateKey,
    answers: [ok("The key was changed.", z.object({ keyId: z.string(), enabled: z.boolean() }))],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "UPSTREAM_UNAVAILABLE"],
  },
  deleteKey: {
    method: "DELETE",
    path: "/external-keys/:keyId",
    who: "manager",
    does: "Deletes a key.",
    answers: [ok("The key is gone.", Deleted)],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  },
  readSession: {
    method: "GET",
    path: "/external/v1/session",
    who: "read",
    does: "Tells whether the point-of-sale session is open.",
    answers: [ok("The session.", ExternalSession)],
    refuses: [],
  },
  listTables: {
    method: "GET",
    path: "/external/v1/tables",
    who: "read",
    does: "Lists the live state of every table that the hub has seen.",
    answers: [ok("The tables.", z.object({ tables: z.array(TableState) }))],
    refuses: [],
  },
  readFloorPlan: {
    method: "GET",
    path: "/external/v1/floor-plan",
    who: "read",
    does: "Gives the floors of the back-office with every table's live status; a table's id is what orders name as tableId.",
    answers: [ok("The floor plan; `stale` when the last refresh failed.", FloorPlan)],
    refuses: ["UPSTREAM_UNAVAILABLE", "NOT_CONFIGURED"],
  },
  listOrders: {
    method: "GET",
    path: "/external/v1/orders",
    who: "read",
    does: "Lists orders, newest activity first. All there are (`status=all`) are sent while they are read, one such list of a key at a time; one that ends with its connection, before its JSON does, has failed.",
    query: OrderListQuery,
    answers: [ok("The orders.", z.object({ orders: z.array(OrderSummary) }))],
    refuses: ["VALIDATION_ERROR"],
  },
  readOrder: {
    method: "GET",
    path: "/external/v1/orders/:ref",
    who: "read",
    does: "Gives one order as it is stored.",
    answers: [ok("The order.", StoredOrder)],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND"],
  },
  createOrder: {
    method: "POST",
    path: "/external/v1/orders",
    who: "orders:write",
    does: "Opens a check. With an externalRef it may be sent again: the check that it made is given back.",
    body: CreateOrder,
    answers: [
      { status: 201, does: "The check was opened.", body: WrittenOrder },
      ok("The check that this externalRef opened before.", StoredOrder),
    ],
    refuses: [
      "VALIDATION_ERROR",
      "TOTALS_MISMATCH",
      "UNKNOWN_TABLE",
      "NO_ACTIVE_SESSION",
      "TABLE_OCCUPIED",
      "ORDER_LOCKED",
      "PAYLOAD_TOO_LARGE",
      "STORAGE_FULL",
    ],
  },
  updateOrder: {
    method: "PATCH",
    path: "/external/v1/orders/:ref",
    who: "orders:write",
    does: "Changes an open check. `lines` replaces all lines; lines that the kitchen has must stay.",
    body: UpdateOrder,
    answers: [ok("The check was changed.", WrittenOrder)],
    refuses: [
      "VALIDATION_ERROR",
      "NOT_FOUND",
      "ORDER_LOCKED",
      "CONFLICT",
      "SENT_LINES_IMMUTABLE",
      "PAYLOAD_TOO_LARGE",
      "STORAGE_FULL",
    ],
  },
  listWebhooks: {
    method: "GET",
    path: "/external/v1/webhooks",
    who: "webhooks:manage",
    does: "Lists the webhook subscriptions, without their secrets.",
    answers: [ok("The subscriptions.", z.object({ webhooks: z.array(WebhookSubscription) }))],
    refuses: [],
  },
  createWebhook: {
    method: "POST",
    path: "/external/v1/webhooks",
    who: "webhooks:manage",
    does: "Subscribes an address to events; the secret that signs them is shown this once.",
    body: CreateWebhook,
    answers: [
      {
        status: 201,
        does: "The subscription was made.",
        body: WebhookWithSecret,
      },
    ],
    refuses: ["VALIDATION_ERROR", "LIMIT_REACHED", "PAYLOAD_TOO_LARGE", "STORAGE_FULL"],
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/external/v1/webhooks/:id",
    who: "webhooks:manage",
    does: "Ends a subscription; what waits for it is not delivered any more.",
    answers: [ok("The subscription is gone.", Deleted)],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND", "STORAGE_FULL"],
  },
  setWebhookSecret: {
    method: "POST",
    path: "/external/v1/webhooks/:id/secret",
    who: "webhooks:manage",
    does: "Gives a subscription of this key's own another secret, such as one that the hub has lost; it is shown this once.",
    body: SetWebhookSecret,
    answers: [ok("It signs with this secret from now on.", WebhookWithSecret)],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "STORAGE_FULL"],
  },
  testWebhook: {
    method: "POST",
    path: "/external/v1/webhooks/:id/test",
    who: "webhooks:manage",
    does: "Sends one signed `webhook.test` to the address and waits for the answer, 5 s at most.",
    answers: [
      ok(
        "What came of it.",
        z.union([
          z.object({ sent: z.literal(true), status: z.int() }),
          z.object({ sent: z.literal(false), error: WebhookError }),
        ]),
      ),
    ],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND"],
  },
  listPluginEvents: {
    method: "GET",
    path: "/external/v1/plugins/:pluginId/events",
    who: "read",
    does: "Lists the live records of a plugin.",
    answers: [ok("The records.", z.object({ events: z.array(PluginRecord) }))],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND"],
  },
  readPluginEvent: {
    method: "GET",
    path: "/external/v1/plugins/:pluginId/events/:key",
    who: "read",
    does: "Gives one live record of a plugin.",
    answers: [ok("The record.", PluginRecord)],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND"],
  },
  postPluginEvent: {
    method: "POST",
    path: "/external/v1/plugins/:pluginId/events",
    who: "plugins:write",
    does: "Stores a record over the one with its key and shows it on terminals that understand it.",
    body: PostPluginEvent,
    answers: [{ status: 202, does: "The record as it is stored.", body: PluginRecord }],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "STORAGE_FULL"],
  },
  deletePluginEvent: {
    method: "DELETE",
    path: "/external/v1/plugins/:pluginId/events/:key",
    who: "plugins:write",
    does: "Removes a record, from terminals too.",
    answers: [ok("The record is gone.", Deleted)],
    refuses: ["VALIDATION_ERROR", "NOT_FOUND", "STORAGE_FULL"],
  },
} as const satisfies Record<string, ExternalRoute>;

export type ExternalRouteName = keyof typeof externalRoutes;
