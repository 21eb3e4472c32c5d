import { z } from "zod";
import { PosReference } from "../basics/fields.ts";
import { BackOfficeLine, BackOfficePayment, BackOfficeTotals } from "./orders.ts";
import { RecordRef } from "./record-ref.ts";

export const maxBatchEvents = 200;

/** Returned exactly as it was sent. */
export const HubEventId = z.union([z.string(), z.int()]);
export type HubEventId = z.infer<typeof HubEventId>;

/** What the hub forwards as `order`: its stored order without `pluginData`, the snapshot paid. */
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

/** One event; only its id is validated with the batch, so that one bad event does not fail the others. */
export const ForwardedEvent = z.looseObject({ eventId: HubEventId });
export type ForwardedEvent = z.infer<typeof ForwardedEvent>;

/** `events` are `{eventId, type: "hub_finalize", posReference, createdAt, order: ForwardedOrder}`. */
export const BatchSyncRequest = z.object({
  hubId: z.string().optional(),
  events: z.array(ForwardedEvent).max(maxBatchEvents),
});
export type BatchSyncRequest = z.infer<typeof BatchSyncRequest>;

/** `duplicate`: the reference was finalized before; `failed` carries error and errorCode. Also the answer of hub/finalize, whose refusal is 422. */
export const BatchSyncResult = z.object({
  eventId: HubEventId,
  status: z.enum(["finalized", "duplicate", "failed"]),
  orderId: z.int().nullish(),
  error: z.string().nullish(),
  errorCode: z.string().nullish(),
  /** An ElectronicReceipt, read by itself: what is wrong with it must not keep an order from being done. */
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
 * What the back-office has under a reference. `eventId` is the one under which the hub's order was finalized, as it came;
 * null while it is a draft, and when it was paid in the back-office itself. `total` is money, `paidAt` an ISO 8601 time.
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

/** Only the orders that the back-office has, each once. hub/lookup is our extension: a back-office may lack it. */
export const LookupAnswer = z.object({ orders: z.array(LookupOrder) });
export type LookupAnswer = z.infer<typeof LookupAnswer>;
