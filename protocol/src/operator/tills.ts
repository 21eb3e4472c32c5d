import { z } from "zod";
import { DeviceId, plainText } from "../basics/fields.ts";
import { Deleted, route } from "../http/http-route.ts";
import { MethodId } from "../money/payments.ts";
import { PrinterId } from "../orders/printing.ts";
import { CountedMethod, FloatOfCurrency, MoveKind, ShiftState, TillId, TillState } from "../money/tills.ts";
import { Instant } from "./common.ts";

/** A till: its printer opens its drawer, and the takings of its terminals go into it. */
export const Till = TillState.omit({ removed: true }).extend({ printer: PrinterId.optional() });
export type Till = z.infer<typeof Till>;

const terminals = z
  .array(DeviceId)
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, { error: "a terminal is listed twice" });

export const CreateTill = z.strictObject({
  id: TillId.optional(),
  name: plainText(60).min(1),
  printer: PrinterId.optional(),
  terminals: terminals.default([]),
});
export type CreateTill = z.infer<typeof CreateTill>;

export const ChangeTill = z.strictObject({
  name: plainText(60).min(1).optional(),
  /** Null removes the printer. */
  printer: PrinterId.nullable().optional(),
  terminals: terminals.optional(),
});
export type ChangeTill = z.infer<typeof ChangeTill>;

/** A business day of the restaurant. It ends at 5:00 on the next calendar day. */
export const Day = z.iso.date();

/** One method in a shift. With `currency`, all amounts are in it. The entry without `currency` has all sales, in pesos. */
export const ShiftMethod = z.object({
  methodId: MethodId,
  currency: z.string().optional(),
  /** Taken for checks, less payments voided before the checks were paid. */
  sales: z.number(),
  tips: z.number(),
  refunded: z.number(),
  /** The part of sales and tips paid in foreign cash, at its value in pesos; absent if there was none. */
  foreign: z.number().optional(),
  /** The amount that should be there. For cash it includes the float and moves, and excludes `foreign`. */
  expected: z.number(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
  /** A cash method other than the shift's. Its money is expected and counted together with the shift's cash, in that entry. */
  withCash: z.literal(true).optional(),
});
export type ShiftMethod = z.infer<typeof ShiftMethod>;

const CountAndAmount = z.object({ count: z.int(), amount: z.number() });

/** When and where something was done in a shift, and by whom. */
const done = { at: Instant, by: z.string(), approvedBy: z.string().optional(), terminalId: z.string() };

export const ShiftMove = z.object({
  kind: MoveKind,
  amount: z.number(),
  reason: z.string(),
  cause: z.literal("tips").optional(),
  /** The person who received the tips. */
  userName: z.string().optional(),
  ...done,
});
export type ShiftMove = z.infer<typeof ShiftMove>;

export const ShiftCount = z.object({
  ...done,
  counted: z.array(CountedMethod),
  note: z.string().optional(),
});
export type ShiftCount = z.infer<typeof ShiftCount>;

/** One opening of a drawer. */
export const DrawerOpening = z.object({
  ...done,
  why: z.enum(["sale", "move", "drawer"]),
  reason: z.string().optional(),
  /** Whether the printer accepted the pulse; null while unknown. */
  answered: z.boolean().nullable(),
});
export type DrawerOpening = z.infer<typeof DrawerOpening>;

/** Money outside a shift's count: payments, and money given back or refunded (below 0). */
export const UnassignedPayment = z.object({
  paymentId: z.string(),
  posReference: z.string(),
  kind: z.enum(["payment", "given_back", "refund"]),
  methodId: MethodId,
  /** For foreign cash: the currency and its amount. `amount` and `tip` are its value in pesos. */
  currency: z.string().optional(),
  foreignAmount: z.number().optional(),
  amount: z.number(),
  tip: z.number(),
  at: Instant,
  takenBy: z.string(),
  terminalId: z.string(),
  /** The shift that was open when the payment was queued, if it is closed now. */
  queuedShiftId: z.string().optional(),
});
export type UnassignedPayment = z.infer<typeof UnassignedPayment>;

export const LateEntry = UnassignedPayment.extend({ assignedBy: z.string(), assignedAt: Instant });
export type LateEntry = z.infer<typeof LateEntry>;

export const ShiftSummary = z.object({
  id: z.string(),
  tillId: z.string(),
  tillName: z.string(),
  state: ShiftState,
  openedAt: Instant,
  openedBy: z.string(),
  countedAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  closedBy: z.string().nullable(),
  approvedBy: z.string().nullable(),
  /** The total taken for checks. */
  sales: z.number(),
  /** For cash in pesos; null until it is counted. */
  difference: z.number().nullable(),
});
export type ShiftSummary = z.infer<typeof ShiftSummary>;

/** A shift in full: X while open, Z once closed. A Z never changes; later entries go to `late`. */
export const ShiftReport = ShiftSummary.extend({
  float: z.number(),
  floats: z.array(FloatOfCurrency),
  byMethod: z.array(ShiftMethod),
  moves: z.array(ShiftMove),
  refunds: CountAndAmount,
  discounts: CountAndAmount,
  voids: CountAndAmount,
  comps: CountAndAmount,
  /** Voluntary tips, by the waiter of the check. */
  tips: z.array(z.object({ userName: z.string(), amount: z.number() })),
  checks: z.object({ from: z.string().nullable(), to: z.string().nullable(), count: z.int() }),
  fiscal: z.array(z.object({ type: z.string(), from: z.string(), to: z.string(), count: z.int() })),
  counts: z.array(ShiftCount),
  openings: z.array(DrawerOpening),
  late: z.array(LateEntry),
});
export type ShiftReport = z.infer<typeof ShiftReport>;

export const NoShift = z.object({
  payments: z.array(UnassignedPayment),
  /** The takings and refunds of this POS session outside any shift, by method. */
  byMethod: z.array(ShiftMethod.pick({ methodId: true, sales: true, tips: true, refunded: true })),
});
export type NoShift = z.infer<typeof NoShift>;

export const TipsOfDay = z.object({
  day: Day,
  timeZone: z.string(),
  waiters: z.array(z.object({ userName: z.string().nullable(), legal: z.number(), voluntary: z.number() })),
  legal: z.number(),
  voluntary: z.number(),
  /** How the restaurant divides the sum of both kinds of tips. */
  shares: z.array(z.object({ who: z.string(), percent: z.number(), amount: z.number() })),
});
export type TipsOfDay = z.infer<typeof TipsOfDay>;

const TillAnswer = z.object({ till: Till });

export const tillRoutes = {
  tills: route("GET", "/operator/v1/tills", "manager", {
    summary: "Lists the tills, each with its open or counted shift.",
    answer: z.object({ tills: z.array(Till) }),
  }),
  createTill: route("POST", "/operator/v1/tills", "manager", {
    summary: "Adds a till.",
    body: CreateTill,
    status: 201,
    answer: TillAnswer,
    errors: ["LIMIT_REACHED"],
  }),
  changeTill: route("PATCH", "/operator/v1/tills/:tillId", "manager", {
    summary: "Changes the name, printer or terminals of a till.",
    body: ChangeTill,
    answer: TillAnswer,
  }),
  deleteTill: route("DELETE", "/operator/v1/tills/:tillId", "manager", {
    summary: "Deletes a till whose shift is closed. Its reports stay.",
    answer: Deleted,
    errors: ["SHIFT_OPEN"],
  }),
  shifts: route("GET", "/operator/v1/shifts", "manager", {
    summary: "Lists shifts, newest first, optionally only those opened on a day or in a state.",
    query: z.strictObject({ day: Day.optional(), state: ShiftState.optional() }),
    answer: z.object({ shifts: z.array(ShiftSummary), timeZone: z.string() }),
  }),
  noShift: route("GET", "/operator/v1/shifts/none", "manager", {
    summary: "Lists payments that belong to no shift, the newest 1,000 at most.",
    answer: NoShift,
  }),
  assignPayment: route("POST", "/operator/v1/shifts/none/:paymentId/assign", "manager", {
    summary: "Assigns a payment without a shift to an open shift, or to a counted one as a late entry.",
    body: z.strictObject({ shiftId: z.guid() }),
    answer: z.object({ payment: UnassignedPayment, late: z.boolean() }),
    errors: ["CONFLICT"],
  }),
  shift: route("GET", "/operator/v1/shifts/:shiftId", "manager", {
    summary: "Returns the report of a shift: the X report while it is open, the Z report once it is closed.",
    answer: ShiftReport,
  }),
  tips: route("GET", "/operator/v1/tips", "manager", {
    summary: "Returns the tips of a day, legal and voluntary, by waiter, and how they are shared.",
    query: z.strictObject({ day: Day.optional() }),
    answer: TipsOfDay,
  }),
};
