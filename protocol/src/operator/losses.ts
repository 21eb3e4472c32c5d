import { z } from "zod";
import { route } from "../http/http-route.ts";
import { OrderStatus } from "../orders/orders.ts";
import { Instant, nextCursor, Note, openOrSettled } from "./common.ts";

/**
 * What a restored data file lacks: an order altogether, its newest state, its payment, that it was discarded or merged into
 * others, or a payment that waited for a manager. `kitchen_work`: what the kitchen got, or made, of a check that is paid here. `closed_by_back_office`: the hub closed the check because the back-office has it as paid.
 * `not_listed`: something that could not be listed, of no order in particular.
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
  /** What is known of it, `by` whom and `at` which time it was written; null where only the fact is known. */
  known: z.object({
    version: z.int(),
    status: OrderStatus.nullable(),
    total: z.number().nullable(),
    /** In parts so far. */
    paid: z.number().nullable(),
    itemCount: z.int().nullable(),
    tableId: z.int().nullable(),
    ticketNumber: z.string().nullable(),
    customerName: z.string().nullable(),
    at: Instant,
    by: z.string().nullable(),
  }),
  /** The order as the hub has it now; null when it has none. */
  present: z.object({ version: z.int(), status: OrderStatus, total: z.number(), paid: z.number() }).nullable(),
  /** `order_merged`: the checks that its lines went to. */
  mergedInto: z.array(z.string()),
  /** What the back-office has under this reference, where that is why it is listed. */
  backOffice: z.object({ total: z.number(), ncf: z.string().nullable(), paidAt: Instant.nullable() }).nullable(),
  /**
   * Who knows of it: `replaced_file`, `webhook_log`, `back_office`, `headquarters`, or `terminal:` with a terminal's id. `former_hub:` with a
   * hub's id: it is of a hub that stood here before.
   */
  sources: z.array(z.string()),
  foundAt: Instant,
  /** Its content is known: the hub can take it over. */
  canTakeOver: z.boolean(),
  state: LossState,
  /** By the hub itself: `hub`. */
  settled: z.object({ at: Instant, by: z.string(), note: z.string().nullable() }).nullable(),
});
export type Loss = z.infer<typeof Loss>;

/** A restore, or an end of the file that was lost. `read`: how much of the file that was set aside could be read. */
export const Restore = z.object({
  at: Instant,
  cause: z.enum(["restore", "lost_tail"]),
  by: z.string().nullable(),
  backup: z.string().nullable(),
  keptAside: z.string().nullable(),
  read: z.enum(["whole", "partly", "no", "none"]),
});
export type Restore = z.infer<typeof Restore>;

/** GET /operator/v1/losses: newest first; `open` counts what waits for a manager, `total` what the query asks for. */
export const LossPage = z.object({
  /** The last ones, newest first. */
  restores: z.array(Restore),
  losses: z.array(Loss),
  nextCursor,
  open: z.int(),
  total: z.int(),
  /** How many orders are still to be looked up in the back-office. */
  unasked: z.int(),
});
export type LossPage = z.infer<typeof LossPage>;

/** POST /operator/v1/losses/:lossId/take-over, …/dismiss and /operator/v1/losses/take-over. */
export const SettleLoss = z.strictObject({ note: Note.optional() });

export const LossAnswer = z.object({ loss: Loss });

/** What could not be taken over stays open; `error` says why. */
export const LossesTakenOver = z.object({
  takenOver: z.int(),
  refused: z.array(z.object({ lossId: z.string(), posReference: z.string(), error: z.string() })),
});
export type LossesTakenOver = z.infer<typeof LossesTakenOver>;

export const lossRoutes = {
  losses: route("GET", "/operator/v1/losses", "manager", {
    summary: "Lists what a restore lost, as far as it is known.",
    query: openOrSettled,
    answer: LossPage,
  }),
  takeOverLosses: route("POST", "/operator/v1/losses/take-over", "manager", {
    summary: "Restores every lost change whose content is known.",
    body: SettleLoss,
    answer: LossesTakenOver,
  }),
  dismissLosses: route("POST", "/operator/v1/losses/dismiss", "manager", {
    summary: "Leaves every order as it is; the losses stay in the list.",
    body: SettleLoss,
    answer: z.object({ dismissed: z.int() }),
  }),
  takeOverLoss: route("POST", "/operator/v1/losses/:lossId/take-over", "manager", {
    summary: "Writes what the restore lost of an order as a new version.",
    body: SettleLoss,
    answer: LossAnswer,
    errors: ["CONFLICT"],
  }),
  dismissLoss: route("POST", "/operator/v1/losses/:lossId/dismiss", "manager", {
    summary: "Leaves an order as it is; the loss stays in the list.",
    body: SettleLoss,
    answer: LossAnswer,
  }),
};
