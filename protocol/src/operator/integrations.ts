import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { Deleted, route } from "../http/http-route.ts";
import { KeyChanged, KeyList } from "../integrations/key-administration.ts";
import { PluginRecord } from "../orders/plugins.ts";
import { Reservation } from "../floor/reservations.ts";
import { SampleOrder } from "../orders/sample-order.ts";
import {
  CreateWebhook,
  SetWebhookSecret,
  WebhookCreated,
  WebhookError,
  WebhookEvent,
  WebhookSubscription,
} from "../integrations/webhooks.ts";
import { countedTotal, Instant, nextCursor, paging } from "./common.ts";
import { InputIssue } from "./explanations.ts";
import { Sentence } from "./sentences.ts";

// --- webhooks ---

export const OperatorWebhook = WebhookSubscription.extend({
  pending: z.int(),
  nextAttemptAt: Instant.nullable(),
  deadLettered: z.int(),
  /** Number of deliveries at their last or second-last attempt, soon to be dead-lettered. */
  nearlyDead: z.int(),
  consecutiveFailures: z.int(),
  lastSuccessAt: Instant.nullable(),
  lastFailure: z.object({ at: Instant, status: z.int().nullable(), error: WebhookError }).nullable(),
});
export type OperatorWebhook = z.infer<typeof OperatorWebhook>;

/** `paused`: deliveries are queued but not sent. */
export const WebhookList = z.object({ webhooks: z.array(OperatorWebhook), paused: z.boolean() });

/** POST /operator/v1/webhooks/:id/test: sends a ping, or a sample of an event that is marked as a test. */
export const TestWebhook = z.strictObject({ event: WebhookEvent.optional() });

/** The request that a test sent: all headers, and the body byte for byte. */
export const TestRequest = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });
export type TestRequest = z.infer<typeof TestRequest>;

/** `request` is set for a sample, unless it could not be signed. */
export const WebhookTestResult = z.union([
  z.object({
    sent: z.literal(true),
    status: z.int(),
    durationMs: z.number(),
    answer: z.string(),
    request: TestRequest.optional(),
  }),
  z.object({ sent: z.literal(false), error: WebhookError, request: TestRequest.optional() }),
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
  /** The reference of its order, or its table. */
  subject: z.string(),
  /** The table, if the event is about one. */
  tableId: z.int().nullable(),
  state: DeliveryState,
  attempts: z.int(),
  createdAt: Instant,
  nextAttemptAt: Instant.nullable(),
  lastStatus: z.int().nullable(),
  lastError: WebhookError.nullable(),
});
export type OperatorDelivery = z.infer<typeof OperatorDelivery>;

export const DeliveryQuery = z.strictObject({
  webhookId: z.string().max(64).optional(),
  state: DeliveryState.optional(),
  event: WebhookEvent.optional(),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  ...paging,
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

/** Newest first. */
export const DeliveryPage = z.object({ deliveries: z.array(OperatorDelivery), nextCursor, ...countedTotal });

export const DeliveryAttempt = z.object({
  attempt: z.int(),
  at: Instant,
  status: z.int().nullable(),
  error: WebhookError.nullable(),
  durationMs: z.number(),
  /** The headers that were sent, signature included. */
  headers: z.record(z.string(), z.string()),
  /** The first 4 KB of the response. */
  answer: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryDetail = z.object({
  delivery: OperatorDelivery,
  /** The body as sent, byte for byte. */
  body: z.string(),
  attempts: z.array(DeliveryAttempt),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

/** POST /operator/v1/deliveries/replay: replays all dead letters of one webhook or of all, optionally since a time. */
export const ReplayDeliveries = z.strictObject({
  webhookId: z.string().max(64).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
});
export const Replayed = z.object({ replayed: z.int() });

/** GET /operator/v1/deliveries/dead: dead letters grouped by failure. */
export const DeadLetters = z.object({
  groups: z.array(
    z.object({
      webhookId: z.string(),
      url: z.string(),
      reason: WebhookError,
      /** The last HTTP status; null if there was no response. */
      status: z.int().nullable(),
      count: z.int(),
      oldestAt: Instant,
    }),
  ),
});
export type DeadLetters = z.infer<typeof DeadLetters>;

// --- plugins and reservations ---

/** GET /operator/v1/plugins: the enabled plugins and every live record. */
export const PluginOverview = z.object({ enabled: z.array(z.string()), records: z.array(PluginRecord) });

/** A booking, or a record that terminals drop, with the reason. */
export const OperatorReservation = z.object({
  key: z.string(),
  version: z.int(),
  updatedAt: Instant,
  expiresAt: Instant.nullable(),
  booking: Reservation.nullable(),
  /** Why terminals drop it, or a warning (a table that is not in the plan); null if it has no problem. */
  problem: Sentence.nullable(),
  /** The validation errors of a record that terminals drop, in machine-readable form. */
  issues: z.array(InputIssue).optional(),
  payload: z.record(z.string(), z.unknown()),
});
export type OperatorReservation = z.infer<typeof OperatorReservation>;

/** Bookings whose sitting time is on `date` in the hub's time zone, and all without a readable time. */
export const ReservationDay = z.object({
  enabled: z.boolean(),
  date: z.string(),
  timeZone: z.string(),
  reservations: z.array(OperatorReservation),
});
export type ReservationDay = z.infer<typeof ReservationDay>;

export const integrationRoutes = {
  keys: route("GET", "/operator/v1/keys", "manager", {
    summary: "Lists the API keys, without their tokens.",
    answer: KeyList,
  }),
  disableKey: route("POST", "/operator/v1/keys/:keyId/disable", "manager", {
    summary: "Disables a key from its next request on, also while the back-office cannot be reached.",
    answer: KeyChanged,
  }),
  sampleOrder: route("GET", "/operator/v1/sample-order", "manager", {
    summary: "Returns a sample order for trying out a new key, with a dish from the menu and a free table.",
    // Null if the menu was never read, or has no dish with a price.
    answer: z.object({ sample: SampleOrder.nullable() }),
  }),
  webhooks: route("GET", "/operator/v1/webhooks", "manager", {
    summary: "Lists the webhook subscriptions with their health.",
    answer: WebhookList,
  }),
  createWebhook: route("POST", "/operator/v1/webhooks", "manager", {
    needsConfirmation: true,
    summary: "Creates a subscription. Its secret is returned only here.",
    body: CreateWebhook,
    answer: WebhookCreated,
    status: 201,
    errors: ["LIMIT_REACHED"],
  }),
  pauseWebhooks: route("POST", "/operator/v1/webhooks/pause", "manager", {
    summary: "Pauses all webhook deliveries, or resumes them.",
    body: z.strictObject({ paused: z.boolean() }),
    answer: z.object({ paused: z.boolean() }),
  }),
  updateWebhook: route("PATCH", "/operator/v1/webhooks/:webhookId", "manager", {
    summary: "Enables or disables a subscription.",
    body: z.strictObject({ enabled: z.boolean() }),
    answer: z.object({ webhook: OperatorWebhook }),
  }),
  deleteWebhook: route("DELETE", "/operator/v1/webhooks/:webhookId", "manager", {
    summary: "Deletes a subscription and parks its queued deliveries.",
    answer: Deleted,
  }),
  setWebhookSecret: route("POST", "/operator/v1/webhooks/:webhookId/secret", "manager", {
    needsConfirmation: true,
    summary: "Sets a new secret, returned only here, and sends the deliveries that waited for it.",
    body: SetWebhookSecret,
    answer: WebhookCreated,
  }),
  testWebhook: route("POST", "/operator/v1/webhooks/:webhookId/test", "manager", {
    summary:
      "Sends one signed ping, or a sample of the given event marked as a test, and returns the response. Nothing is queued.",
    body: TestWebhook,
    isBodyOptional: true,
    answer: WebhookTestResult,
  }),
  deliveries: route("GET", "/operator/v1/deliveries", "manager", {
    summary: "Finds webhook deliveries, newest first.",
    query: DeliveryQuery,
    answer: DeliveryPage,
  }),
  deadLetters: route("GET", "/operator/v1/deliveries/dead", "manager", {
    summary: "Groups the dead-lettered deliveries by cause.",
    answer: DeadLetters,
  }),
  replayDeliveries: route("POST", "/operator/v1/deliveries/replay", "manager", {
    summary: "Queues dead-lettered deliveries again.",
    body: ReplayDeliveries,
    answer: Replayed,
  }),
  delivery: route("GET", "/operator/v1/deliveries/:deliveryId", "manager", {
    summary: "Returns one delivery with its body and every attempt.",
    answer: DeliveryDetail,
  }),
  replayDelivery: route("POST", "/operator/v1/deliveries/:deliveryId/replay", "manager", {
    summary: "Queues one delivery again, whatever its state.",
    answer: z.object({ delivery: OperatorDelivery }),
  }),
  plugins: route("GET", "/operator/v1/plugins", "manager", {
    summary: "Lists the enabled plugins and their live records.",
    answer: PluginOverview,
  }),
  deletePluginRecord: route("DELETE", "/operator/v1/plugins/:pluginId/:key", "manager", {
    summary: "Deletes a plugin record, also from terminals.",
    answer: Deleted,
  }),
  reservations: route("GET", "/operator/v1/reservations", "manager", {
    summary: "Lists the bookings of a day, and the records that terminals cannot show.",
    query: z.strictObject({ date: z.iso.date().optional() }),
    answer: ReservationDay,
  }),
};
