import { z } from "zod";
import { route } from "../http/http-route.ts";
import { MoveKind } from "../money/tills.ts";
import { ItemAvailability } from "../orders/kitchen.ts";
import { OrderStatus } from "../orders/orders.ts";
import { Instant, nextCursor, Note, openOrSettled } from "./common.ts";
import { OrderVersion } from "./order-history.ts";
import { Sentence } from "./sentences.ts";

/** The kinds of changes from a terminal that are kept. Payments are kept separately (see forwarding.ts). */
export const KeptChangeType = z.enum([
  "ORDER_UPSERT",
  "ORDER_BATCH",
  "ORDER_SEND",
  "ORDER_CHECKOUT",
  "ORDER_REOPEN",
  "ORDER_DISCARD",
  "ORDER_TENDER_VOID",
  "KITCHEN_SEEN",
  "KITCHEN_BUMP",
  "KITCHEN_SERVED",
  "KITCHEN_PRIORITY",
  "ITEM_STATE_SET",
  "TILL_OPEN",
  "TILL_MOVE",
  "TILL_COUNT",
  "TILL_DRAWER",
]);

/** A change that arrived with a revoked token, after a PIN was reset or a device was removed. */
export const KeptChange = z.object({
  changeId: z.string(),
  /** Null if the change cannot be read any more; then it can only be dismissed. */
  type: KeptChangeType.nullable(),
  terminalId: z.string(),
  /** Further unsent changes that the terminal last reported. It sends changes to one check singly, each after a decision. */
  unsentBehind: z.int().nonnegative(),
  /** The user of the token. */
  userName: z.string(),
  receivedAt: Instant,
  /** When the terminal queued it, if reported. */
  queuedAt: Instant.nullable(),
  /** Why it was rejected. */
  error: z.string(),
  /** The checks it affects with their current status, and what it would change relative to the version that its sender saw. */
  orders: z.array(
    z.object({
      posReference: z.string(),
      /** Null if the hub does not have the check. */
      status: OrderStatus.nullable(),
      change: OrderVersion.pick({ kind: true, facts: true }).nullable(),
    }),
  ),
  /** ITEM_STATE_SET: the product and its new state. */
  item: z.object({ productId: z.string(), state: ItemAvailability }).optional(),
  /** TILL_MOVE: the amount, and the direction. */
  move: z.object({ kind: MoveKind, amount: z.number() }).optional(),
  /** The reason that its sender gave. */
  reason: z.string().optional(),
  settled: z
    .object({ at: Instant, by: z.string(), how: z.enum(["applied", "dismissed"]), note: Sentence.nullable() })
    .nullable(),
});
export type KeptChange = z.infer<typeof KeptChange>;

const KeptChangeAnswer = z.object({ change: KeptChange });

export const keptChangeRoutes = {
  keptChanges: route("GET", "/operator/v1/kept-changes", "manager", {
    summary: "Lists changes that arrived with a revoked token.",
    query: openOrSettled,
    answer: z.object({ changes: z.array(KeptChange), nextCursor, total: z.int() }),
  }),
  applyKeptChange: route("POST", "/operator/v1/kept-changes/:changeId/apply", "manager", {
    summary: "Applies a kept change on behalf of the manager.",
    body: z.strictObject({ note: Note.optional() }),
    isBodyOptional: true,
    answer: KeptChangeAnswer,
    errors: [
      "VALIDATION_ERROR",
      "TOTALS_MISMATCH",
      "UNKNOWN_TABLE",
      "NO_ACTIVE_SESSION",
      "TABLE_OCCUPIED",
      "PARTY_SEATED",
      "ORDER_LOCKED",
      "ITEM_OUT",
      "HAS_PAYMENTS",
      "CONFLICT",
      "LEASE_HELD",
      "LIMIT_REACHED",
      "PAYLOAD_TOO_LARGE",
      "SHIFT_OPEN",
      "SHIFT_CLOSED",
      "NO_TILL",
    ],
  }),
  dismissKeptChanges: route("POST", "/operator/v1/kept-changes/dismiss", "manager", {
    summary: "Dismisses all kept changes, with one note.",
    body: z.strictObject({ note: Note }),
    answer: z.object({ dismissed: z.int() }),
  }),
  dismissKeptChange: route("POST", "/operator/v1/kept-changes/:changeId/dismiss", "manager", {
    summary: "Dismisses a kept change, with a note.",
    body: z.strictObject({ note: Note }),
    answer: KeptChangeAnswer,
    errors: ["CONFLICT"],
  }),
};
