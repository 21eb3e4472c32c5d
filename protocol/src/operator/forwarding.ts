import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { route } from "../http/http-route.ts";
import { DAY_MS } from "../basics/durations.ts";
import { IsoTime, Role } from "../basics/fields.ts";
import { OrderStatus } from "../orders/orders.ts";
import { Payment } from "../money/payments.ts";
import { PrintDocument, PrintJobState } from "../orders/printing.ts";
import { ShiftState } from "../money/tills.ts";
import {
  Backlog,
  countedTotal,
  Instant,
  listedPlace,
  nextCursor,
  Note,
  openOrSettled,
  OrderPlace,
  paging,
  UnsentWork,
} from "./common.ts";
import { BackOfficeLink, ForwardBacklog } from "./overview.ts";
import { Takings } from "./sales.ts";
import { Sentence } from "./sentences.ts";
import { ShiftSummary } from "./tills.ts";

export const BackOfficeStatus = z.object({
  state: BackOfficeLink,
  since: Instant,
  url: z.string(),
  database: z.string(),
  /** The hub's own account; null if it has none. */
  login: z.string().nullable(),
  lastSyncAt: Instant.nullable(),
  lastError: z.object({ at: Instant, error: Sentence }).nullable(),
  session: z.object({ active: z.boolean(), name: z.string().nullable() }),
  queue: ForwardBacklog.extend({ nextTryAt: Instant.nullable(), intervalMs: z.number() }),
});
export type BackOfficeStatus = z.infer<typeof BackOfficeStatus>;

/** `attention`: refused ten times, or set aside by a manager; waits for a person. Nothing is ever dropped. */
export const ForwardEventState = z.enum(["pending", "attention", "done"]);
export type ForwardEventState = z.infer<typeof ForwardEventState>;

export const ForwardEvent = z.object({
  eventId: z.string(),
  type: z.string(),
  posReference: z.string(),
  ...listedPlace,
  state: ForwardEventState,
  total: z.number().nullable(),
  createdAt: Instant,
  attempts: z.int(),
  lastAttemptAt: Instant.nullable(),
  nextAttemptAt: Instant.nullable(),
  forwardedAt: Instant.nullable(),
  /** Why it was not forwarded: the back-office's own message, or one of the hub's sentences. */
  error: Sentence.nullable(),
  errorCode: z.string().nullable(),
  /** The manager's reason for setting it aside. */
  note: z.string().nullable(),
  /** It needs no decision until then; null if it has no such time, or if that has passed. */
  setAsideUntil: Instant.nullable().default(null),
});
export type ForwardEvent = z.infer<typeof ForwardEvent>;

export const ForwardQuery = z.strictObject({
  state: ForwardEventState.optional(),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  ...paging,
});

/** `pending` and `attention` oldest first, `done` newest first. */
export const ForwardPage = z.object({ events: z.array(ForwardEvent), nextCursor, ...countedTotal });
export type ForwardPage = z.infer<typeof ForwardPage>;

export const ForwardDetail = z.object({
  event: ForwardEvent,
  attempts: z.array(
    z.object({
      attempt: z.int(),
      at: Instant,
      outcome: z.enum(["finalized", "duplicate", "failed", "unreachable"]),
      error: Sentence.nullable(),
      errorCode: z.string().nullable(),
      durationMs: z.number(),
    }),
  ),
});
export type ForwardDetail = z.infer<typeof ForwardDetail>;

export const ForwardEventAnswer = z.object({ event: ForwardEvent });

/** How far ahead the `until` of a set-aside event may be. */
export const SET_ASIDE_MAX_MS = 30 * DAY_MS;

/** POST /operator/v1/forward/retry: retries all events in this state now. */
export const RetryAll = z.strictObject({ state: z.enum(["pending", "attention"]).default("attention") });

/** A payment that a terminal took and that could not be applied to its order. */
export const UnappliedPayment = z.object({
  /** Its id through every retry: the paymentId or tenderId that it came with, else its mutationId. */
  paymentId: z.string(),
  posReference: z.string(),
  ...listedPlace,
  orderStatus: OrderStatus.nullable(),
  /** The order was discarded or merged into another, so it takes no more payments. */
  removed: z.boolean(),
  /** The unpaid amount of the order; null if the hub does not have the order, or it is paid. */
  due: z.number().nullable(),
  /** The payment came with the order's content, so it can be applied even if the hub does not have the order. */
  hasContent: z.boolean(),
  terminalId: z.string(),
  userName: z.string(),
  receivedAt: Instant,
  /** When the terminal queued it, if reported. */
  takenAt: Instant.nullable(),
  payments: z.array(Payment),
  amount: z.number(),
  /** The user of the request is not allowed to take money. */
  isUnauthorized: z.boolean(),
  errorCode: z.string(),
  error: z.string(),
  settled: z.object({ at: Instant, by: z.string(), note: Sentence }).nullable(),
});
export type UnappliedPayment = z.infer<typeof UnappliedPayment>;

export const PaymentPage = z.object({ payments: z.array(UnappliedPayment), nextCursor, total: z.int() });
export type PaymentPage = z.infer<typeof PaymentPage>;

/** POST /operator/v1/payments/:paymentId/settle: records how the money was accounted for. */
export const SettlePayment = z.strictObject({ note: Note });

/** The number of payments settled at once, and their sum. */
export const SettledPayments = z.object({ settled: z.int(), amount: z.number() });

export const PaymentAnswer = z.object({ payment: UnappliedPayment });

/** POST /operator/v1/payments/:paymentId/apply: `note` is written to the audit log. */
export const ApplyPayment = z.strictObject({ note: Note.optional() });

/** The result of applying a payment: the part that pays the check, what is left to collect, and what has to be given back. */
export const AppliedPayment = PaymentAnswer.extend({
  applied: z.number(),
  posReference: z.string(),
  version: z.int(),
  status: OrderStatus,
  due: z.number(),
  giveBack: z.number(),
});

/**
 * What a paid order that is not in the back-office waits for. `queue` and `number` resolve by themselves. The rest need a
 * manager: `refused_number` got no fiscal number, `decision` was refused, `set_aside` is not sent until it is retried.
 */
export const AccountingWait = z.enum(["queue", "number", "refused_number", "decision", "set_aside"]);
export type AccountingWait = z.infer<typeof AccountingWait>;

/** Who can resolve an obstacle to closing: anyone with this role, and the user it belongs to. */
const solvedBy = z.object({ role: Role, userName: z.string().nullable() });

/** GET /operator/v1/closing: whether the shift can be closed. `ready` if every list is empty and nothing is unforwarded. */
export const ClosingReport = z.object({
  ready: z.boolean(),
  checkedAt: Instant,
  openChecks: z.array(
    z.object({
      posReference: z.string(),
      place: OrderPlace,
      status: OrderStatus,
      total: z.number(),
      /** The amount that tenders have already paid. */
      paid: z.number(),
      createdAt: Instant,
      solvedBy,
    }),
  ),
  unsentTerminals: z.array(
    UnsentWork.extend({ terminalId: z.string(), userName: z.string().nullable(), lastSeenAt: Instant, solvedBy }),
  ),
  unforwarded: Backlog,
  attention: z.array(ForwardEvent),
  /** Paid orders that a manager set aside until later. They are not in accounting but need no decision now. */
  setAside: z.array(ForwardEvent).default([]),
  /** Each paid order missing in the back-office, exactly once. The amounts add up to `totals.notYetInAccounting`. */
  notInAccounting: z.array(
    z.object({
      waitsFor: AccountingWait,
      orders: z.int(),
      amount: z.number(),
      oldestAt: Instant,
      /** The oldest of these orders, at most 20. */
      oldest: z.array(
        z.object({
          posReference: z.string(),
          ...listedPlace,
          total: z.number().nullable(),
          paidAt: Instant,
          /** The manager's reason for setting it aside. */
          note: z.string().nullable(),
          error: Sentence.nullable(),
        }),
      ),
    }),
  ),
  unappliedPayments: z.array(UnappliedPayment),
  /** Changes with a revoked token that no manager has decided on. */
  keptChanges: z.int().default(0),
  openShifts: z
    .array(
      ShiftSummary.pick({ tillId: true, tillName: true, openedAt: true, openedBy: true }).extend({
        shiftId: z.string(),
        state: ShiftState.exclude(["closed"]),
        solvedBy,
      }),
    )
    .default([]),
  /** Print jobs that were not printed, or may not have been. On their own they do not prevent closing. */
  waitingPrints: z
    .array(
      z.object({
        jobId: z.string(),
        document: PrintDocument,
        state: PrintJobState,
        printer: z.string(),
        posReference: z.string().nullable(),
        since: Instant,
        solvedBy,
      }),
    )
    .default([]),
  /** Paid orders whose fiscal answer is missing, or wrong and undecided. NCF_CONFLICT: the back-office has another number. */
  pendingFiscal: z
    .array(
      z.object({
        posReference: z.string(),
        ...listedPlace,
        type: z.string(),
        errorCode: z.string().nullable().default(null),
        since: Instant,
        solvedBy,
      }),
    )
    .default([]),
  /** Losses of a restore that no manager has decided on. */
  losses: z.int().default(0),
  /** The takings of this POS session, from the hub's own data. */
  totals: Takings.extend({
    /** Includes earlier sessions. */
    notYetInAccounting: z.number(),
  }),
  /** The session of the totals; null if there is none. */
  session: z.object({ name: z.string().nullable(), since: Instant }).nullable(),
  /** The time zone of the hub, which is the restaurant's. */
  timeZone: z.string(),
});
export type ClosingReport = z.infer<typeof ClosingReport>;

export const forwardingRoutes = {
  backOffice: route("GET", "/operator/v1/back-office", "manager", {
    summary: "Returns the state of the connection to the back-office.",
    answer: BackOfficeStatus,
  }),
  tryBackOffice: route("POST", "/operator/v1/back-office/try", "manager", {
    summary: "Signs the hub in to the back-office again, sends queued orders and returns the new state.",
    answer: BackOfficeStatus,
  }),
  forwardEvents: route("GET", "/operator/v1/forward", "manager", {
    summary: "Lists forward events that are waiting, need attention or are done.",
    query: ForwardQuery,
    answer: ForwardPage,
  }),
  forwardEvent: route("GET", "/operator/v1/forward/:eventId", "manager", {
    summary: "Returns one forward event with every attempt.",
    answer: ForwardDetail,
  }),
  retryForward: route("POST", "/operator/v1/forward/:eventId/retry", "manager", {
    summary: "Retries a forward event now and clears its refusals.",
    answer: ForwardEventAnswer,
  }),
  setAsideForward: route("POST", "/operator/v1/forward/:eventId/set-aside", "manager", {
    summary: "Stops retrying a forward event until a manager retries it.",
    // With `until` (at most 30 days ahead), it needs attention only from then on; otherwise immediately.
    body: z.strictObject({ note: Note, until: IsoTime.optional() }),
    answer: ForwardEventAnswer,
  }),
  retryAllForward: route("POST", "/operator/v1/forward/retry", "manager", {
    summary: "Retries every forward event in a state.",
    body: RetryAll,
    answer: z.object({ retried: z.int() }),
  }),
  payments: route("GET", "/operator/v1/payments", "manager", {
    summary: "Lists payments that were taken but could not be applied.",
    query: openOrSettled,
    answer: PaymentPage,
  }),
  settlePayment: route("POST", "/operator/v1/payments/:paymentId/settle", "manager", {
    summary: "Marks a payment as accounted for, with a note.",
    body: SettlePayment,
    answer: PaymentAnswer,
    errors: ["CONFLICT"],
  }),
  settleUnauthorizedPayments: route("POST", "/operator/v1/payments/settle-unauthorized", "manager", {
    summary: "Settles all payments by people who may not take payments, with one note.",
    body: SettlePayment,
    answer: SettledPayments,
  }),
  applyPayment: route("POST", "/operator/v1/payments/:paymentId/apply", "manager", {
    summary:
      "Applies a payment to its check. If the hub does not have the check, it is created from the payment's content.",
    body: ApplyPayment,
    isBodyOptional: true,
    answer: AppliedPayment,
    errors: ["VALIDATION_ERROR", "NO_ACTIVE_SESSION", "ORDER_LOCKED", "LEASE_HELD", "CONFLICT"],
  }),
  closing: route("GET", "/operator/v1/closing", "manager", {
    summary: "Returns whether the shift can be closed, and everything that prevents it.",
    answer: ClosingReport,
  }),
};
