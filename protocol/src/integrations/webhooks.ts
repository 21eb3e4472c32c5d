import { z } from "zod";
import { PosReference, TableId } from "../basics/fields.ts";
import { parseUrl } from "../basics/parse-url.ts";
import { Snapshot } from "../orders/orders.ts";
import { TableStatus } from "../floor/tables.ts";

export const WebhookEvent = z.enum(["order.created", "order.updated", "order.paid", "order.deleted", "table.updated"]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** Maximum number of subscriptions per creator (a key, or all managers together), and in total. */
export const webhookLimits = { perCreator: 50, total: 100 } as const;

/** POST /external/v1/webhooks. Missing or empty `events`, or `["*"]`, subscribe to all of them. */
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
 * POST /external/v1/webhooks/:id/secret: sets the signing secret, for example one that the receiver already has. Without
 * `secret`, the hub generates one.
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
 * Why a webhook was not delivered. `unreachable`: no HTTP answer in time; the cause is hidden so that callers cannot scan
 * ports. `tls`: the certificate is not accepted. `not_allowed`: the hub does not send to this address. `http_error`: a status
 * other than 2xx. `needs_secret`: the hub has no secret to sign with. `interrupted`: the hub stopped.
 */
export const WebhookError = z.enum(["unreachable", "tls", "not_allowed", "http_error", "needs_secret", "interrupted"]);
export type WebhookError = z.infer<typeof WebhookError>;

/** A subscription as listed; its secret is returned only at creation. `*` stands for every event. */
export const WebhookSubscription = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.union([WebhookEvent, z.literal("*")])),
  enabled: z.boolean(),
  createdBy: z.string(),
  createdAt: z.string(),
  /** The hub cannot read its secret, for example after a restore on another PC. Its deliveries wait. */
  needsSecret: z.boolean().optional(),
  /** Set while its receiver does not answer. No new attempt is made before this time; queued deliveries are kept. */
  pausedUntil: z.string().optional(),
});
export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

/** A subscription with its secret, returned when the subscription or its secret is created. */
export const WebhookCreated = WebhookSubscription.pick({ id: true, url: true, events: true }).extend({
  secret: z.string(),
});
export type WebhookCreated = z.infer<typeof WebhookCreated>;

/** `data` of an order event. `origin` is the writer: a terminal, `ext:{keyId}` or `hub`. */
export const OrderEventData = z.object({
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
  snapshot: Snapshot,
  /** For `order.deleted`: the checks that received its lines. */
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

/** The body of an order event's delivery. `id` is the same in all retries. */
export const OrderDelivery = DeliveryEnvelope.extend({
  event: WebhookEvent.exclude(["table.updated"]),
  data: OrderEventData,
});

/** The body of a delivery of `table.updated`. */
export const TableDelivery = DeliveryEnvelope.extend({ event: z.literal("table.updated"), data: TableEventData });

/** The body of a delivery; `event` determines the type of `data`. */
export const WebhookDelivery = z.discriminatedUnion("event", [OrderDelivery, TableDelivery]);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
