import { z } from "zod";
import { OrderStatus, OrderType, Snapshot } from "../orders/orders.ts";
import { Adjustment, FiscalState } from "../money/payments.ts";
import { RefundPayment } from "../money/refunds.ts";
import { Instant, Writer } from "./common.ts";
import { UnappliedPayment } from "./forwarding.ts";
import { DeliveryAttempt } from "./integrations.ts";
import { Sentence } from "./sentences.ts";

/** A credit note that the back-office issued: its number (null: only the back-office knows it), and the credited `total`. */
export const CreditNoteMade = z.object({
  at: Instant,
  userName: z.string(),
  approvedBy: z.string().optional(),
  ncf: z.string().nullable(),
  total: z.number(),
  /** The amount paid back to the guest, and by which methods; empty if only the note was requested. */
  amount: z.number(),
  refund: z.array(RefundPayment),
  reason: z.string().nullable(),
});

/** A dish of a check. `name` only if the line has its own; `modifiers` are their names. */
const FactDish = z.object({
  productId: z.string().nullable(),
  name: z.string().optional(),
  quantity: z.number().optional(),
  modifiers: z.array(z.string()).optional(),
});

/** A typed value of a fact. Screens format it in the user's language. */
export const FactValue = z.union([
  z.object({ text: z.string() }),
  z.object({ number: z.number() }),
  z.object({ money: z.number() }),
  z.object({ percent: z.number() }),
  z.object({ names: z.array(z.string()) }),
  z.object({ tables: z.array(z.int()) }),
  z.object({ orderType: OrderType }),
  z.object({ status: OrderStatus }),
  z.object({ dish: FactDish }),
  z.object({ dishes: z.array(FactDish) }),
]);
export type FactValue = z.infer<typeof FactValue>;

const howTextChanged = ["set", "changed", "gone"] as const;
const textFields = [
  "note",
  "specialRequest",
  "allergy",
  "seat",
  "course",
  "customerName",
  "staffName",
  "notes",
] as const;

/** One change made by a version. `other`: a change in a field that has no fact of its own. */
export const OrderFact = z.object({
  fact: z.enum([
    "beganWith",
    "lineAdded",
    "lineSplit",
    "lineCame",
    "lineRemoved",
    "belowMenu",
    "voided",
    "voidedFor",
    "unvoided",
    "voidReason",
    "quantity",
    "price",
    "amount",
    "extrasAdded",
    "extrasRemoved",
    "lineDiscount",
    "lineDiscountGone",
    "replaced",
    "renamed",
    "ready",
    "notReady",
    "started",
    ...textFields.flatMap((field) => howTextChanged.map((how) => `${field}.${how}` as const)),
    "changedAfterSending",
    "status",
    "orderType",
    "table",
    "tableSet",
    "tableGone",
    "tablesJoined",
    "tablesApart",
    "guests",
    ...Adjustment.shape.kind.options.flatMap((kind) => [`adjusted.${kind}`, `unadjusted.${kind}`] as const),
    "total",
    "other",
  ]),
  values: z.record(z.string(), FactValue),
});
export type OrderFact = z.infer<typeof OrderFact>;

/** What a write did, in the restaurant's terms. */
export const VersionKind = z.enum([
  "created",
  "edited",
  "sent",
  "seen",
  "bumped",
  "served",
  "tendered",
  "tender_voided",
  "numbered",
  "signed",
  "refunded",
  "checkout",
  "reopened",
  "paid",
  "closed",
  "discarded",
  "reverted",
]);
export type VersionKind = z.infer<typeof VersionKind>;

export const OrderVersion = z.object({
  version: z.int(),
  at: Instant,
  kind: VersionKind,
  origin: Writer,
  userName: z.string().nullable(),
  /** The person who approved it, if the user alone was not allowed to do it. */
  approvedBy: z.string().optional(),
  status: OrderStatus,
  total: z.number(),
  /** Why the check was discarded, or the checks that received its lines. */
  reason: z.string().optional(),
  mergedInto: z.array(z.string()).optional(),
  /** The state of the fiscal number after this version, with the number itself. */
  fiscal: FiscalState.extend({ ncf: z.string().optional() }).optional(),
  /** The changes since the previous version; for the first one, the check's initial content. */
  facts: z.array(OrderFact),
});
export type OrderVersion = z.infer<typeof OrderVersion>;

/** GET /operator/v1/orders/:ref/versions: oldest first. */
export const OrderVersions = z.object({ versions: z.array(OrderVersion) });

export const VersionContent = z.object({
  version: z.int(),
  at: Instant,
  origin: Writer,
  snapshot: Snapshot,
});

/** GET /operator/v1/orders/:ref/timeline: everything that happened to the order, oldest first. */
export const TimelineEntry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("version"), at: Instant, version: OrderVersion }),
  z.object({
    kind: z.literal("ticket_sent"),
    at: Instant,
    ticketId: z.string(),
    by: Writer,
    /** Null if the kitchen has no stations. */
    stationName: z.string().nullable(),
    /** The number of its lines, and the sum of their quantities. */
    items: z.number(),
    quantity: z.number(),
    late: z.boolean(),
  }),
  z.object({
    kind: z.literal("ticket_seen"),
    at: Instant,
    ticketId: z.string(),
    /** The id that the screen which showed it uses for itself. */
    stationId: z.string(),
    stationName: z.string().nullable(),
  }),
  z.object({
    /** All that was not cancelled was ready. */
    kind: z.literal("ticket_ready"),
    at: Instant,
    ticketId: z.string(),
    stationName: z.string().nullable(),
    sentAt: Instant,
  }),
  z.object({
    kind: z.literal("payment"),
    at: Instant,
    by: Writer,
    amount: z.number(),
    methodId: z.string(),
    /** The cash that the guest gave, and the change. */
    tendered: z.number().nullable(),
    change: z.number().nullable(),
    tip: z.number().nullable(),
    /** Null if it came with the payment that settled the check. */
    terminalId: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("tender_voided"),
    at: Instant,
    by: Writer,
    amount: z.number(),
    methodId: z.string(),
    reason: z.string(),
  }),
  z.object({ kind: z.literal("payment_unapplied"), at: Instant, payment: UnappliedPayment }),
  z.object({
    kind: z.literal("forward"),
    at: Instant,
    attempt: z.int(),
    outcome: z.enum(["finalized", "duplicate", "failed", "unreachable", "set_aside"]),
    error: Sentence.nullable(),
    /** The back-office's own code. */
    errorCode: z.string().nullable().default(null),
  }),
  z.object({
    kind: z.literal("webhook"),
    ...DeliveryAttempt.omit({ headers: true, answer: true }).shape,
    deliveryId: z.int(),
    url: z.string(),
    event: z.string(),
  }),
  CreditNoteMade.extend({ kind: z.literal("credit_note") }),
  z.object({
    kind: z.literal("operator"),
    at: Instant,
    action: z.string(),
    userName: z.string(),
    note: Sentence.nullable(),
  }),
]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const Timeline = z.object({ entries: z.array(TimelineEntry) });
