import { z } from "zod";
import { PosReference } from "../basics/fields.ts";
import { BackOfficeLine, BackOfficePayment, BackOfficeTotals } from "./orders.ts";
import { RecordRef } from "./record-ref.ts";

export const maxBatchEvents = 200;

/** An opaque id, returned exactly as it was sent. */
export const HubEventId = z.union([z.string(), z.int()]);
export type HubEventId = z.infer<typeof HubEventId>;

/** The `order` that the hub forwards: its stored order without `pluginData`, with a paid snapshot. */
export const ForwardedOrder = z.looseObject({
  posReference: PosReference,
  version: z.int().positive().optional(),
  tableId: z.int().nullish(),
  terminalId: z.string().nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
  snapshot: z.looseObject({
    status: z.enum(["paid", "closed"]),
    orderType: z.string().nullish(),
    customerId: RecordRef.nullish(),
    customerName: z.string().nullish(),
    notes: z.string().nullish(),
    lines: z.array(BackOfficeLine),
    totals: BackOfficeTotals,
    payments: z.array(BackOfficePayment).default([]),
  }),
});
export type ForwardedOrder = z.infer<typeof ForwardedOrder>;

/** One event. Only its id is validated with the batch, so that one invalid event does not fail the rest. */
export const ForwardedEvent = z.looseObject({ eventId: HubEventId });
export type ForwardedEvent = z.infer<typeof ForwardedEvent>;

/** `events` are `{eventId, type: "hub_finalize", posReference, createdAt, order: ForwardedOrder}`. */
export const BatchSyncRequest = z.object({
  hubId: z.string().optional(),
  events: z.array(ForwardedEvent).max(maxBatchEvents),
});
export type BatchSyncRequest = z.infer<typeof BatchSyncRequest>;

/** `duplicate`: was finalized before. `failed` has error and errorCode. Also the answer of hub/finalize (422 if refused). */
export const BatchSyncResult = z.object({
  eventId: HubEventId,
  status: z.enum(["finalized", "duplicate", "failed"]),
  orderId: z.int().nullish(),
  error: z.string().nullish(),
  errorCode: z.string().nullish(),
  /** An ElectronicReceipt, parsed separately so that an invalid one does not fail the order. */
  fiscal: z.unknown().optional(),
});
export type BatchSyncResult = z.infer<typeof BatchSyncResult>;

/** One result per event, in the order of the events. */
export const BatchSyncAnswer = z.object({ results: z.array(BatchSyncResult) });
export type BatchSyncAnswer = z.infer<typeof BatchSyncAnswer>;

export const FinalizeRequest = z.looseObject({ eventId: HubEventId, posReference: PosReference, order: z.unknown() });

export const maxLookupReferences = 200;

export const LookupRequest = z.object({ posReferences: z.array(z.string()).max(maxLookupReferences) });

/**
 * The back-office's order with a reference. `eventId` is that of the hub's event that finalized it, unchanged; null for a
 * draft, and for an order paid in the back-office itself. `total` is an amount of money, `paidAt` an ISO 8601 time.
 */
export const LookupOrder = z.object({
  posReference: z.string(),
  status: z.enum(["draft", "paid"]),
  orderId: z.int(),
  eventId: HubEventId.nullable(),
  total: z.number(),
  ncf: z.string().nullable(),
  paidAt: z.string().nullable(),
});
export type LookupOrder = z.infer<typeof LookupOrder>;

/** Contains only orders that the back-office has, each once. hub/lookup is our extension, which a back-office may lack. */
export const LookupAnswer = z.object({ orders: z.array(LookupOrder) });
export type LookupAnswer = z.infer<typeof LookupAnswer>;
