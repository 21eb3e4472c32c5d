import { z } from "zod";
import { route } from "../http/http-route.ts";
import { OrderStatus } from "../orders/orders.ts";
import { Instant, nextCursor, Note, openOrSettled } from "./common.ts";

/**
 * What a restored data file lacks: a whole order, its newest state, its payment, its removal (discarded or merged), or a
 * payment that waited for a manager. `kitchen_work`: dishes that the kitchen received or made for a check that is already paid
 * here. `closed_by_back_office`: the back-office has the check as paid. `not_listed`: losses of no particular order.
 */
export const LossKind = z.enum([
  "order_missing",
  "order_older",
  "order_paid",
  "order_discarded",
  "order_merged",
  "kitchen_work",
  "payment",
  "closed_by_back_office",
  "not_listed",
]);
export type LossKind = z.infer<typeof LossKind>;

export const LossState = z.enum(["open", "taken_over", "dismissed"]);
export type LossState = z.infer<typeof LossState>;

export const Loss = z.object({
  lossId: z.string(),
  kind: LossKind,
  posReference: z.string(),
  /** The lost state, with who wrote it (`by`) and when (`at`); null fields are unknown. */
  known: z.object({
    version: z.int(),
    status: OrderStatus.nullable(),
    total: z.number().nullable(),
    /** The sum of its partial payments. */
    paid: z.number().nullable(),
    itemCount: z.int().nullable(),
    tableId: z.int().nullable(),
    ticketNumber: z.string().nullable(),
    customerName: z.string().nullable(),
    at: Instant,
    by: z.string().nullable(),
  }),
  /** The order as the hub has it now; null if it does not have it. */
  present: z.object({ version: z.int(), status: OrderStatus, total: z.number(), paid: z.number() }).nullable(),
  /** `order_merged`: the checks that received its lines. */
  mergedInto: z.array(z.string()),
  /** The back-office's data for this reference, if that is why the loss is listed. */
  backOffice: z.object({ total: z.number(), ncf: z.string().nullable(), paidAt: Instant.nullable() }).nullable(),
  /**
   * Where the data is from: `replaced_file`, `webhook_log`, `back_office`, `headquarters`, `terminal:` with a terminal's id, or
   * `former_hub:` with the id of an earlier hub at this restaurant.
   */
  sources: z.array(z.string()),
  /** Its content is known, so the hub can restore it. */
  canTakeOver: z.boolean(),
  state: LossState,
  /** `by` is `hub` if the hub settled it itself. */
  settled: z.object({ at: Instant, by: z.string(), note: z.string().nullable() }).nullable(),
});
export type Loss = z.infer<typeof Loss>;

/** A restore, or a loss of the file's last changes. `read`: how much of the replaced file could be read. */
export const Restore = z.object({
  at: Instant,
  cause: z.enum(["restore", "lost_tail"]),
  by: z.string().nullable(),
  backup: z.string().nullable(),
  keptAside: z.string().nullable(),
  read: z.enum(["whole", "partly", "no", "none"]),
});
export type Restore = z.infer<typeof Restore>;

/** GET /operator/v1/losses: newest first. `open` counts losses that wait for a manager, `total` those of the query. */
export const LossPage = z.object({
  /** The most recent restores, newest first. */
  restores: z.array(Restore),
  losses: z.array(Loss),
  nextCursor,
  open: z.int(),
  total: z.int(),
  /** Number of orders still to be looked up in the back-office. */
  unasked: z.int(),
});
export type LossPage = z.infer<typeof LossPage>;

/** POST /operator/v1/losses/:lossId/take-over, …/dismiss and /operator/v1/losses/take-over. */
export const SettleLoss = z.strictObject({ note: Note.optional() });

export const LossAnswer = z.object({ loss: Loss });

/** Losses that could not be restored stay open; `error` says why. */
export const LossesTakenOver = z.object({
  takenOver: z.int(),
  refused: z.array(z.object({ lossId: z.string(), posReference: z.string(), error: z.string() })),
});
export type LossesTakenOver = z.infer<typeof LossesTakenOver>;

export const lossRoutes = {
  losses: route("GET", "/operator/v1/losses", "manager", {
    summary: "Lists the known losses of restores.",
    query: openOrSettled,
    answer: LossPage,
  }),
  takeOverLosses: route("POST", "/operator/v1/losses/take-over", "manager", {
    summary: "Restores every lost change whose content is known.",
    body: SettleLoss,
    answer: LossesTakenOver,
  }),
  dismissLosses: route("POST", "/operator/v1/losses/dismiss", "manager", {
    summary: "Dismisses all losses and leaves every order unchanged. The losses stay in the list.",
    body: SettleLoss,
    answer: z.object({ dismissed: z.int() }),
  }),
  takeOverLoss: route("POST", "/operator/v1/losses/:lossId/take-over", "manager", {
    summary: "Restores the lost content of an order as a new version.",
    body: SettleLoss,
    answer: LossAnswer,
    errors: ["CONFLICT"],
  }),
  dismissLoss: route("POST", "/operator/v1/losses/:lossId/dismiss", "manager", {
    summary: "Dismisses a loss and leaves the order unchanged. The loss stays in the list.",
    body: SettleLoss,
    answer: LossAnswer,
  }),
};
