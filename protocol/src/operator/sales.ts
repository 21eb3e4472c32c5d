import { z } from "zod";
import { route } from "../http/http-route.ts";
import { MethodId } from "../money/payments.ts";
import { Instant, listedPlace, OrderPlace } from "./common.ts";
import { Day } from "./tills.ts";

/** What was taken; what was given back stands beside it. */
export const Takings = z.object({
  paidOrders: z.int(),
  paidAmount: z.number(),
  /** On top of what settled the checks; absent where there was none. */
  tips: z.number().optional(),
  /** What was given back meanwhile, of checks of any session, with a credit note; absent where nothing was. */
  refunds: z.object({ notes: z.int(), amount: z.number() }).optional(),
  byMethod: z.array(
    z.object({
      /** As payments have it: a number stays one. */
      methodId: MethodId,
      amount: z.number(),
      payments: z.int(),
      tips: z.number().optional(),
      /** Given back by this method, and not taken off `amount`. */
      refunded: z.number().optional(),
    }),
  ),
});
export type Takings = z.infer<typeof Takings>;

/** `refunded` is not taken off `amount`. */
const Sold = z.object({ amount: z.number(), refunded: z.number() });

/** Checks are counted where they were paid, refunds where their notes were made. */
const SoldChecks = Sold.extend({ checks: z.int(), guests: z.number(), tips: z.number() });

/** `net`, the taxes, `charges` and `rounding` add up to what was sold. */
export const SoldParts = z.object({
  /** Without taxes; discounts are taken off. */
  net: z.number(),
  /** Of what was given back. */
  refundedNet: z.number(),
  /** By name, in the menu's order, and so the legal tip by its own; null where the menu no longer says which it was. */
  taxes: z.array(Sold.extend({ name: z.string().nullable() })),
  /** Service and tips that stand on the checks themselves. */
  charges: z.number(),
  rounding: z.number(),
});

/** What took money off: a discount, or a void or comp at what it would have cost. */
export const TakenOff = z.object({
  posReference: z.string(),
  place: OrderPlace,
  staffName: z.string().nullable(),
  amount: z.number(),
  reason: z.string().nullable(),
  /** Of which dish, and how much of it; absent for a discount of the whole check. */
  productId: z.string().nullable().optional(),
  quantity: z.number().optional(),
  /** Who allowed it, where the check says so. */
  by: z.string().optional(),
  /** The whole check was discarded, and the kitchen had this dish. */
  isDiscarded: z.literal(true).optional(),
});
export type TakenOff = z.infer<typeof TakenOff>;

/** What has one reason, or one person, in common; null where nothing is said of it. */
const TakenOffGroup = z.object({ name: z.string().nullable(), count: z.int(), amount: z.number() });
export type TakenOffGroup = z.infer<typeof TakenOffGroup>;

/** How many there were and what they come to; `largest` are at most 50 of them, and so are the groups. */
const TakenOffs = z.object({
  count: z.int(),
  amount: z.number(),
  largest: z.array(TakenOff),
  byReason: z.array(TakenOffGroup),
  /** By who allowed it, where that is known, else by whose check it was. */
  byPerson: z.array(TakenOffGroup),
});

/**
 * GET /operator/v1/sales: what this session, a business day, or several in a row, have sold. Whichever way it is divided, the parts add up to
 * `totals.paidAmount`, and what was given back to `totals.refunds`.
 */
export const SalesReport = z.object({
  /** From when it counts: since the session began, as in the closing report, or since the day did. */
  since: Instant,
  /** Until when; null for the session. */
  until: Instant.nullable(),
  /** The business day that was asked for, of several the first; null for the session. */
  day: Day.nullable(),
  /** Of several business days the last one; else null. */
  through: Day.nullable(),
  /** The business day now. */
  today: Day,
  /** Sales before that are not kept any more; null where none were removed yet. */
  keptSince: Instant.nullable(),
  /** The session; null without one: `since` is when the last one began. */
  session: z.object({ name: z.string().nullable() }).nullable(),
  asOf: Instant,
  timeZone: z.string(),
  /** As in the closing report. */
  totals: Takings,
  parts: SoldParts,
  /** Of several business days none. */
  hours: z.array(SoldChecks.extend({ from: Instant })),
  /** Of several business days those on which something was sold; else none. */
  days: z.array(SoldChecks.extend({ day: Day })),
  /** What each dish has brought, its share of discounts of the whole check taken off; null: what belongs to no dish. */
  dishes: z.array(
    Sold.extend({ productId: z.string().nullable(), quantity: z.number(), refundedQuantity: z.number() }),
  ),
  /** By whom the check belonged to. */
  waiters: z.array(SoldChecks.extend({ name: z.string().nullable() })),
  discounts: TakenOffs,
  voids: TakenOffs,
  /** What was given away. */
  comps: TakenOffs,
  /** The newest, at most 50. */
  refunds: z.array(
    z.object({
      posReference: z.string(),
      ...listedPlace,
      at: Instant,
      amount: z.number(),
      by: z.string(),
      reason: z.string().nullable(),
      ncf: z.string().nullable(),
    }),
  ),
  /** Checks whose content cannot be read: they are part of the totals, and of no dish and no waiter. */
  unreadable: z.int(),
});
export type SalesReport = z.infer<typeof SalesReport>;

export const salesRoutes = {
  sales: route("GET", "/operator/v1/sales", "manager", {
    summary:
      "Returns what this session, or any business day that is kept, has sold: by hour, dish, waiter and payment method, with its taxes apart. With `through` it is all business days from `day` to that one, at most 31, by day in place of hour.",
    query: z.strictObject({ day: Day.optional(), through: Day.optional() }),
    answer: SalesReport,
  }),
};
