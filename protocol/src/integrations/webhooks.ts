import { z } from "zod";
import { PosReference, TableId } from "../basics/fields.ts";
import { parseUrl } from "../basics/parse-url.ts";
import { Snapshot } from "../orders/orders.ts";
import { TableStatus } from "../floor/tables.ts";

export const WebhookEvent = z.enum(["order.created", "order.updated", "order.paid", "order.deleted", "table.updated"]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** The most subscriptions of one creator (a key, or the managers together), and in all. */
export const webhookLimits = { perCreator: 50, total: 100 } as const;

/** POST /external/v1/webhooks. No events, an empty list, or `["*"]` mean all of them. */
export const CreateWebhook = z.strictObject({
  url: z
    .string()
    .trim()
    .max(2048)
    .refine(isHttpUrl, { error: "must be an http or https address" })
    .meta({ description: "an http or https address", pattern: String.raw`^\s*[Hh][Tt][Tt][Pp][Ss]?://.` }),
  events: z
    .array(z.union([WebhookEvent, z.literal("*")], { error: "no such webhook event" }))
    .max(20)
    .optional(),
});

/**
 * POST /external/v1/webhooks/:id/secret: the secret to sign with from now on, such as the one that its receiver already
 * has; without one the hub creates a new one.
 */
export const SetWebhookSecret = z.strictObject({
  secret: z
    .string()
    .regex(/^whsec_[\w-]{32,128}$/, { error: "must be whsec_ and 32 to 128 letters, digits, _ or -" })
    .optional(),
});

function isHttpUrl(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}

/**
 * Why a webhook was not delivered. `unreachable`: no HTTP answer in time, for any reason, so that a caller cannot scan
 * ports. `tls`: its certificate is not accepted. `not_allowed`: an address that the hub does not send to. `http_error`: a
 * status other than 2xx. `needs_secret`: the hub has no secret to sign with. `interrupted`: the hub stopped.
 */
export const WebhookError = z.enum(["unreachable", "tls", "not_allowed", "http_error", "needs_secret", "interrupted"]);
export type WebhookError = z.infer<typeof WebhookError>;

/** A subscription as it is listed; its secret is shown at creation only. `*` stands for every event. */
export const WebhookSubscription = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.union([WebhookEvent, z.literal("*")])),
  enabled: z.boolean(),
  createdBy: z.string(),
  createdAt: z.string(),
  /** Set when the hub cannot read its secret, as after a restore on another PC; deliveries wait. */
  needsSecret: z.boolean().optional(),
  /** Set while its receiver does not answer: until then nothing new is tried with it. What waits for it is kept. */
  pausedUntil: z.string().optional(),
});
export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

/** A subscription with its secret, as the answers that create either return it. */
export const WebhookCreated = WebhookSubscription.pick({ id: true, url: true, events: true }).extend({
  secret: z.string(),
});
export type WebhookCreated = z.infer<typeof WebhookCreated>;

/** `data` of an order event; `origin` is who caused it: a terminal, `ext:{keyId}` or `hub`. */
export const OrderEventData = z.object({
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
  snapshot: Snapshot,
  /** Of `order.deleted`: the checks that its lines went to. */
  mergedInto: z.array(PosReference).optional(),
});
export type OrderEventData = z.infer<typeof OrderEventData>;

/** `data` of `table.updated`. */
export const TableEventData = z.object({
  tableId: TableId,
  status: TableStatus,
  posReference: z.string().nullable(),
  origin: z.string(),
});
export type TableEventData = z.infer<typeof TableEventData>;

const DeliveryEnvelope = z.object({ id: z.int(), timestamp: z.string() });

/** The body of the delivery of an order event; `id` is stable across its retries. */
export const OrderDelivery = DeliveryEnvelope.extend({
  event: WebhookEvent.exclude(["table.updated"]),
  data: OrderEventData,
});

/** The body of a delivery of `table.updated`. */
export const TableDelivery = DeliveryEnvelope.extend({ event: z.literal("table.updated"), data: TableEventData });

/** The body of one delivery; `event` tells what its `data` is. */
export const WebhookDelivery = z.discriminatedUnion("event", [OrderDelivery, TableDelivery]);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
