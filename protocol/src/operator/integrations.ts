import { z } from "zod";
import { PluginRecord } from "../plugins.ts";
import { Reservation } from "../reservations.ts";
import { Scope } from "../keys.ts";
import { WebhookError, WebhookEvent } from "../webhooks.ts";
import { countedTotal, Instant, nextCursor, paging } from "./common.ts";

// --- keys: the given /external-keys, described here so that the UI can parse its answers ---

/** Times are `YYYY-MM-DD HH:MM:SS` UTC. */
export const OperatorKey = z.object({
  keyId: z.string(),
  label: z.string(),
  scopes: z.array(Scope),
  enabled: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type OperatorKey = z.infer<typeof OperatorKey>;
export const KeyList = z.object({ keys: z.array(OperatorKey) });
export const KeyCreated = z.object({ keyId: z.string(), token: z.string() });
export type KeyCreated = z.infer<typeof KeyCreated>;
export const KeyChanged = z.object({ keyId: z.string(), enabled: z.boolean() });
export const Deleted = z.object({ deleted: z.literal(true) });

// --- webhooks ---

const eventName = z.union([WebhookEvent, z.literal("*")]);

export const OperatorWebhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(eventName),
  enabled: z.boolean(),
  /** The key that made it, or `hub`. */
  createdBy: z.string(),
  createdAt: z.string(),
  /** There when the hub cannot read its secret: what is to be delivered waits for another one, or for the key file. */
  needsSecret: z.boolean().optional(),
  pending: z.int(),
  oldestPendingAt: Instant.nullable(),
  nextAttemptAt: Instant.nullable(),
  deadLettered: z.int(),
  /** Deliveries that are at their last attempt or the one before: about to be dead-lettered. */
  nearlyDead: z.int(),
  consecutiveFailures: z.int(),
  lastSuccessAt: Instant.nullable(),
  lastFailure: z.object({ at: Instant, status: z.int().nullable(), error: WebhookError }).nullable(),
});
export type OperatorWebhook = z.infer<typeof OperatorWebhook>;

/** `paused`: nothing is delivered for the time being, everything is queued. */
export const WebhookList = z.object({ webhooks: z.array(OperatorWebhook), paused: z.boolean() });
export type WebhookList = z.infer<typeof WebhookList>;
export const WebhookCreated = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(eventName),
  secret: z.string(),
});
export type WebhookCreated = z.infer<typeof WebhookCreated>;
export const UpdateWebhook = z.strictObject({ enabled: z.boolean() });
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;
export const WebhookAnswer = z.object({ webhook: OperatorWebhook });
export const PauseWebhooks = z.strictObject({ paused: z.boolean() });
export const WebhooksPaused = z.object({ paused: z.boolean() });

/** POST /operator/v1/webhooks/:id/test: one signed ping, with the answer. */
export const WebhookTestResult = z.union([
  z.object({ sent: z.literal(true), status: z.int(), durationMs: z.number(), answer: z.string() }),
  z.object({ sent: z.literal(false), error: WebhookError }),
]);
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;

// --- deliveries ---

export const DeliveryState = z.enum(["pending", "delivered", "dead", "parked"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

export const OperatorDelivery = z.object({
  id: z.int(),
  webhookId: z.string(),
  url: z.string(),
  event: z.string(),
  /** The order or table it tells of. */
  subject: z.string(),
  state: DeliveryState,
  attempts: z.int(),
  createdAt: Instant,
  nextAttemptAt: Instant.nullable(),
  deliveredAt: Instant.nullable(),
  lastStatus: z.int().nullable(),
  lastError: WebhookError.nullable(),
});
export type OperatorDelivery = z.infer<typeof OperatorDelivery>;

export const DeliveryQuery = z.strictObject({
  webhookId: z.string().max(64).optional(),
  state: DeliveryState.optional(),
  event: WebhookEvent.optional(),
  search: z.string().trim().max(128).optional(),
  ...paging,
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

/** Newest first. */
export const DeliveryPage = z.object({ deliveries: z.array(OperatorDelivery), nextCursor, ...countedTotal });
export type DeliveryPage = z.infer<typeof DeliveryPage>;

export const DeliveryAttempt = z.object({
  attempt: z.int(),
  at: Instant,
  status: z.int().nullable(),
  error: WebhookError.nullable(),
  durationMs: z.number(),
  /** The headers that were sent, signature included. */
  headers: z.record(z.string(), z.string()),
  /** The first 4 KB of the answer. */
  answer: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryDetail = z.object({
  delivery: OperatorDelivery,
  /** The body as it is sent, byte for byte. */
  body: z.string(),
  attempts: z.array(DeliveryAttempt),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DeliveryAnswer = z.object({ delivery: OperatorDelivery });

/** POST /operator/v1/deliveries/replay: every dead-lettered one, of one webhook or all, since a time or ever. */
export const ReplayDeliveries = z.strictObject({
  webhookId: z.string().max(64).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
});
export type ReplayDeliveries = z.infer<typeof ReplayDeliveries>;
export const Replayed = z.object({ replayed: z.int() });

/** GET /operator/v1/deliveries/dead: dead letters grouped by what went wrong. */
export const DeadLetters = z.object({
  groups: z.array(
    z.object({
      webhookId: z.string(),
      url: z.string(),
      reason: WebhookError,
      /** The status that was answered last; null where none was. */
      status: z.int().nullable(),
      count: z.int(),
      oldestAt: Instant,
      newestAt: Instant,
    }),
  ),
});
export type DeadLetters = z.infer<typeof DeadLetters>;

// --- plugins and reservations ---

/** GET /operator/v1/plugins: the enabled plugins and every live record. */
export const PluginOverview = z.object({ enabled: z.array(z.string()), records: z.array(PluginRecord) });
export type PluginOverview = z.infer<typeof PluginOverview>;

export const ReservationQuery = z.strictObject({ date: z.iso.date().optional() });
export type ReservationQuery = z.infer<typeof ReservationQuery>;

/** A booking, or a record that terminals drop, with the reason. */
export const OperatorReservation = z.object({
  key: z.string(),
  version: z.int(),
  updatedAt: Instant,
  expiresAt: Instant.nullable(),
  booking: Reservation.nullable(),
  /** Why terminals drop it, or what is odd about it (a table that the plan lacks); null when all is well. */
  problem: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
});
export type OperatorReservation = z.infer<typeof OperatorReservation>;

/** The bookings whose sitting time falls on `date` in the hub's time zone, and every one without a readable time. */
export const ReservationDay = z.object({
  enabled: z.boolean(),
  date: z.string(),
  timeZone: z.string(),
  reservations: z.array(OperatorReservation),
});
export type ReservationDay = z.infer<typeof ReservationDay>;
