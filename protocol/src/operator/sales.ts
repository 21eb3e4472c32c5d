import { z } from "zod";
import { route } from "../http/http-route.ts";
import { MethodId } from "../money/payments.ts";
import { Instant, listedPlace, OrderPlace } from "./common.ts";
import { Day } from "./tills.ts";

/** Takings of a period. Refunds are listed separately and not subtracted. */
export const Takings = z.object({
  paidOrders: z.int(),
  paidAmount: z.number(),
  /** Paid on top of the checks; absent if there were none. */
  tips: z.number().optional(),
  /** Refunds in the same period, of checks of any session, each with a credit note; absent if there were none. */
  refunds: z.object({ notes: z.int(), amount: z.number() }).optional(),
  byMethod: z.array(
    z.object({
      /** As in payments: a numeric id stays a number. */
      methodId: MethodId,
      amount: z.number(),
      payments: z.int(),
      tips: z.number().optional(),
      /** Refunded by this method; not subtracted from `amount`. */
      refunded: z.number().optional(),
    }),
  ),
});
export type Takings = z.infer<typeof Takings>;

/** `refunded` is not subtracted from `amount`. */
const Sold = z.object({ amount: z.number(), refunded: z.number() });

/** Checks count in the period in which they were paid, refunds when their credit notes were made. */
const SoldChecks = Sold.extend({ checks: z.int(), guests: z.number(), tips: z.number() });

/** `net`, the taxes, `charges` and `rounding` add up to the amount sold. */
export const SoldParts = z.object({
  /** Without taxes, after discounts. */
  net: z.number(),
  /** The net part of the refunds. */
  refundedNet: z.number(),
  /** By name in the menu's order, including the legal tip; null if the tax is not in the menu any more. */
  taxes: z.array(Sold.extend({ name: z.string().nullable() })),
  /** Service charges and tips that are part of the checks. */
  charges: z.number(),
  rounding: z.number(),
});

/** A reduction: a discount, or a void or comp with the amount it would have cost. */
export const Reduction = z.object({
  posReference: z.string(),
  place: OrderPlace,
  staffName: z.string().nullable(),
  amount: z.number(),
  reason: z.string().nullable(),
  /** The dish and its quantity; absent for a discount on the whole check. */
  productId: z.string().nullable().optional(),
  quantity: z.number().optional(),
  /** The person who allowed it, if the check says so. */
  by: z.string().optional(),
  /** The whole check was discarded after the kitchen had received this dish. */
  isDiscarded: z.literal(true).optional(),
});
export type Reduction = z.infer<typeof Reduction>;

/** The reductions with one reason or by one person; null if none is recorded. */
const ReductionGroup = z.object({ name: z.string().nullable(), count: z.int(), amount: z.number() });
export type ReductionGroup = z.infer<typeof ReductionGroup>;

/** Count and sum of all reductions; `largest` and each group list hold at most 50 entries. */
const Reductions = z.object({
  count: z.int(),
  amount: z.number(),
  largest: z.array(Reduction),
  byReason: z.array(ReductionGroup),
  /** By the person who allowed it, if known; otherwise by the owner of the check. */
  byPerson: z.array(ReductionGroup),
});

/**
 * GET /operator/v1/sales: the sales of this session, of a business day, or of several in a row. Each breakdown adds up to
 * `totals.paidAmount`, and its refunds to `totals.refunds`.
 */
export const SalesReport = z.object({
  /** Start of the period: the session's as in the closing report, or the day's. */
  since: Instant,
  /** End of the period; null for the session. */
  until: Instant.nullable(),
  /** The requested business day, or the first of several; null for the session. */
  day: Day.nullable(),
  /** The last of several business days; otherwise null. */
  through: Day.nullable(),
  /** The current business day. */
  today: Day,
  /** Sales before this time have been removed; null if none have. */
  keptSince: Instant.nullable(),
  /** Null if no session is open; then `since` is when the last one began. */
  session: z.object({ name: z.string().nullable() }).nullable(),
  asOf: Instant,
  timeZone: z.string(),
  /** Computed as in the closing report. */
  totals: Takings,
  parts: SoldParts,
  /** Empty for several business days. */
  hours: z.array(SoldChecks.extend({ from: Instant })),
  /** For several business days, those with sales; otherwise empty. */
  days: z.array(SoldChecks.extend({ day: Day })),
  /** Sales per dish, less its share of check discounts; null: amounts that belong to no dish. */
  dishes: z.array(
    Sold.extend({ productId: z.string().nullable(), quantity: z.number(), refundedQuantity: z.number() }),
  ),
  /** By the owner of the check. */
  waiters: z.array(SoldChecks.extend({ name: z.string().nullable() })),
  discounts: Reductions,
  voids: Reductions,
  /** Dishes that were given away. */
  comps: Reductions,
  /** The newest refunds, at most 50. */
  refunds: z.array(
    z.object({
      posReference: z.string(),
      ...listedPlace,
      at: Instant,
      amount: z.number(),
      by: z.string(),
      approvedBy: z.string().optional(),
      reason: z.string().nullable(),
      ncf: z.string().nullable(),
    }),
  ),
  /** Checks whose content cannot be read. They count in the totals but under no dish or waiter. */
  unreadable: z.int(),
});
export type SalesReport = z.infer<typeof SalesReport>;

export const salesRoutes = {
  sales: route("GET", "/operator/v1/sales", "manager", {
    summary:
      "Returns the sales of this session or of a stored business day by hour, dish, waiter and payment method, with taxes separately. With `through`, covers the business days from `day` to `through`, at most 31, by day instead of by hour.",
    query: z.strictObject({ day: Day.optional(), through: Day.optional() }),
    answer: SalesReport,
  }),
};
