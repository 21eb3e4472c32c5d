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
import { BackOfficeLink } from "./overview.ts";
import { Takings } from "./sales.ts";
import { Said } from "./sentences.ts";

export const BackOfficeStatus = z.object({
  state: BackOfficeLink,
  since: Instant,
  url: z.string(),
  database: z.string(),
  /** The hub's own account; null without one. */
  login: z.string().nullable(),
  lastSyncAt: Instant.nullable(),
  lastError: z.object({ at: Instant, error: Said }).nullable(),
  session: z.object({ active: z.boolean(), name: z.string().nullable() }),
  queue: Backlog.extend({
    estimateMs: z.number().nullable(),
    /** As in the overview. */
    waitingForNumber: z.int().default(0),
    nextTryAt: Instant.nullable(),
    intervalMs: z.number(),
    attention: z.int(),
    total: z.int(),
  }),
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
  /** Why it is not there: the back-office's own words and code, or one of the hub's sentences. */
  error: Said.nullable(),
  errorCode: z.string().nullable(),
  /** Why a manager set it aside. */
  note: z.string().nullable(),
  /** Until then nobody has to decide on it; null for one that was not set aside until a time, or whose time has come. */
  setAsideUntil: Instant.nullable().default(null),
});
export type ForwardEvent = z.infer<typeof ForwardEvent>;

export const ForwardQuery = z.strictObject({
  state: ForwardEventState.optional(),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  ...paging,
});

/** Pending and attention oldest first, done newest first. */
export const ForwardPage = z.object({ events: z.array(ForwardEvent), nextCursor, ...countedTotal });
export type ForwardPage = z.infer<typeof ForwardPage>;

export const ForwardDetail = z.object({
  event: ForwardEvent,
  attempts: z.array(
    z.object({
      attempt: z.int(),
      at: Instant,
      outcome: z.enum(["finalized", "duplicate", "failed", "unreachable"]),
      error: Said.nullable(),
      errorCode: z.string().nullable(),
      durationMs: z.number(),
    }),
  ),
});
export type ForwardDetail = z.infer<typeof ForwardDetail>;

export const ForwardEventAnswer = z.object({ event: ForwardEvent });

/** How far ahead an event can be set aside. */
export const SET_ASIDE_MAX_MS = 30 * DAY_MS;

/** POST /operator/v1/forward/retry: all that is in this state, at once. */
export const RetryAll = z.strictObject({ state: z.enum(["pending", "attention"]).default("attention") });

/** Money that a terminal took and that could not be put on its order. */
export const UnappliedPayment = z.object({
  /** What it is known by through every retry: the paymentId or tenderId that came with it, else its mutationId. */
  paymentId: z.string(),
  posReference: z.string(),
  ...listedPlace,
  orderStatus: OrderStatus.nullable(),
  /** The order was discarded, or merged into another: it takes no payment any more. */
  removed: z.boolean(),
  /** What the order still has to be paid; null when the hub does not have it, or it is paid. */
  due: z.number().nullable(),
  /** The order's content came with it, so that it can be applied although the hub does not have the order. */
  hasContent: z.boolean(),
  terminalId: z.string(),
  userName: z.string(),
  receivedAt: Instant,
  /** When the terminal queued it, if it said so. */
  takenAt: Instant.nullable(),
  payments: z.array(Payment),
  amount: z.number(),
  /** It came under somebody who may take no money. */
  isUnauthorized: z.boolean(),
  errorCode: z.string(),
  error: z.string(),
  settled: z.object({ at: Instant, by: z.string(), note: Said }).nullable(),
});
export type UnappliedPayment = z.infer<typeof UnappliedPayment>;

export const PaymentPage = z.object({ payments: z.array(UnappliedPayment), nextCursor, total: z.int() });
export type PaymentPage = z.infer<typeof PaymentPage>;

/** POST /operator/v1/payments/:paymentId/settle: says how the money was accounted for. */
export const SettlePayment = z.strictObject({ note: Note });

/** How many payments were settled at once, and their sum. */
export const SettledPayments = z.object({ settled: z.int(), amount: z.number() });

export const PaymentAnswer = z.object({ payment: UnappliedPayment });

/** POST /operator/v1/payments/:paymentId/apply: `note` goes into the audit log. */
export const ApplyPayment = z.strictObject({ note: Note.optional() });

/** What became of the payment: how much of it settles the check, what is left to collect, and what is to be given back. */
export const AppliedPayment = PaymentAnswer.extend({
  applied: z.number(),
  posReference: z.string(),
  version: z.int(),
  status: OrderStatus,
  due: z.number(),
  giveBack: z.number(),
});

/**
 * What a paid order that the back-office does not have waits for. `queue` and `number` end by themselves; the others wait for
 * a manager: `refused_number` was given no fiscal number, `decision` was refused, `set_aside` is not sent until it is retried.
 */
export const AccountingWait = z.enum(["queue", "number", "refused_number", "decision", "set_aside"]);
export type AccountingWait = z.infer<typeof AccountingWait>;

/** Who can do away with what stands in the way of a closing: anybody with this role, and whose it is. */
const solvedBy = z.object({ role: Role, userName: z.string().nullable() });

/** GET /operator/v1/closing: may the shift be closed? `ready` when every list is empty and nothing is unforwarded. */
export const ClosingReport = z.object({
  ready: z.boolean(),
  checkedAt: Instant,
  openChecks: z.array(
    z.object({
      posReference: z.string(),
      place: OrderPlace,
      status: OrderStatus,
      total: z.number(),
      /** What tenders have paid of it. */
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
  /** Paid orders that a manager set aside until later: not in accounting, and nobody has to decide on them now. */
  setAside: z.array(ForwardEvent).default([]),
  /** Each paid order that the back-office does not have, once; the amounts add up to `totals.notYetInAccounting`. */
  notInAccounting: z.array(
    z.object({
      waitsFor: AccountingWait,
      orders: z.int(),
      amount: z.number(),
      oldestAt: Instant,
      /** The oldest of them, at most 20. */
      oldest: z.array(
        z.object({
          posReference: z.string(),
          ...listedPlace,
          total: z.number().nullable(),
          paidAt: Instant,
          /** Why a manager set it aside. */
          note: z.string().nullable(),
          error: Said.nullable(),
        }),
      ),
    }),
  ),
  unappliedPayments: z.array(UnappliedPayment),
  /** Changes under a revoked token that no manager has decided on. */
  keptChanges: z.int().default(0),
  openShifts: z
    .array(
      z.object({
        shiftId: z.string(),
        tillId: z.string(),
        tillName: z.string(),
        state: ShiftState.exclude(["closed"]),
        openedAt: Instant,
        openedBy: z.string(),
        solvedBy,
      }),
    )
    .default([]),
  /** What a printer has not taken, or may have: alone it keeps nothing from being closed. */
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
  /** Paid orders whose fiscal answer is missing, or not right and undecided: NCF_CONFLICT where it has another number. */
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
  /** What a restore lost and no manager has decided on. */
  losses: z.int().default(0),
  /** What this POS session has taken, from the hub's own books. */
  totals: Takings.extend({
    /** Also of earlier sessions. */
    notYetInAccounting: z.number(),
  }),
  /** The session that the totals are of: null without one. */
  session: z.object({ name: z.string().nullable(), since: Instant }).nullable(),
  /** The hub's own: the restaurant's. */
  timeZone: z.string(),
});
export type ClosingReport = z.infer<typeof ClosingReport>;

export const forwardingRoutes = {
  backOffice: route("GET", "/operator/v1/back-office", "manager", {
    summary: "Returns the state of the connection to the back-office.",
    answer: BackOfficeStatus,
  }),
  tryBackOffice: route("POST", "/operator/v1/back-office/try", "manager", {
    summary: "Signs the hub in again, drains the queue and returns the new state.",
    answer: BackOfficeStatus,
  }),
  forwardEvents: route("GET", "/operator/v1/forward", "manager", {
    summary: "Lists forward events: waiting, in need of attention, or done.",
    query: ForwardQuery,
    answer: ForwardPage,
  }),
  forwardEvent: route("GET", "/operator/v1/forward/:eventId", "manager", {
    summary: "Returns one forward event with every attempt.",
    answer: ForwardDetail,
  }),
  retryForward: route("POST", "/operator/v1/forward/:eventId/retry", "manager", {
    summary: "Retries a forward event now and forgets its refusals.",
    answer: ForwardEventAnswer,
  }),
  setAsideForward: route("POST", "/operator/v1/forward/:eventId/set-aside", "manager", {
    summary: "Stops retrying a forward event until a manager retries it.",
    // With `until`, at most 30 days ahead, it needs attention again from then on; otherwise at once.
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
    summary: "Settles at once all payments that came under people who may take no money, with one note.",
    body: SettlePayment,
    answer: SettledPayments,
  }),
  applyPayment: route("POST", "/operator/v1/payments/:paymentId/apply", "manager", {
    summary: "Puts a payment on its check, which is created from the payment's content where the hub does not have it.",
    body: ApplyPayment,
    isBodyOptional: true,
    answer: AppliedPayment,
    errors: ["VALIDATION_ERROR", "NO_ACTIVE_SESSION", "ORDER_LOCKED", "LEASE_HELD", "CONFLICT"],
  }),
  closing: route("GET", "/operator/v1/closing", "manager", {
    summary: "Returns whether the shift can be closed, and everything that stands in the way.",
    answer: ClosingReport,
  }),
};
