import { z } from "zod";
import { route } from "../http/http-route.ts";
import { MoveKind } from "../money/tills.ts";
import { ItemAvailability } from "../orders/kitchen.ts";
import { OrderStatus } from "../orders/orders.ts";
import { Instant, nextCursor, Note, openOrSettled } from "./common.ts";
import { OrderVersion } from "./order-history.ts";
import { Said } from "./sentences.ts";

/** What somebody did at a terminal; money is kept as a payment (see forwarding.ts). */
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

/** A change that came with a revoked token: a PIN that was reset, or a device that was forgotten. */
export const KeptChange = z.object({
  changeId: z.string(),
  /** Null where it cannot be read any more: then it can only be dismissed. */
  type: KeptChangeType.nullable(),
  terminalId: z.string(),
  /** How many more changes that terminal last reported as unsent: of one check each is sent once the one before is decided. */
  unsentBehind: z.int().nonnegative(),
  /** Whose token it was. */
  userName: z.string(),
  receivedAt: Instant,
  /** When the terminal said that it was queued, if it said so. */
  queuedAt: Instant.nullable(),
  /** Why it was not carried out. */
  error: z.string(),
  /** The checks that it names, as they are now, and what it would change of each since its sender saw it. */
  orders: z.array(
    z.object({
      posReference: z.string(),
      /** Null when the hub does not have it. */
      status: OrderStatus.nullable(),
      change: OrderVersion.pick({ kind: true, facts: true }).nullable(),
    }),
  ),
  /** ITEM_STATE_SET: of which product, and what it would be. */
  item: z.object({ productId: z.string(), state: ItemAvailability }).optional(),
  /** TILL_MOVE: how much money was moved, and which way. */
  move: z.object({ kind: MoveKind, amount: z.number() }).optional(),
  /** What its sender gave as the reason. */
  reason: z.string().optional(),
  settled: z
    .object({ at: Instant, by: z.string(), how: z.enum(["applied", "dismissed"]), note: Said.nullable() })
    .nullable(),
});
export type KeptChange = z.infer<typeof KeptChange>;

const KeptChangeAnswer = z.object({ change: KeptChange });

export const keptChangeRoutes = {
  keptChanges: route("GET", "/operator/v1/kept-changes", "manager", {
    summary: "Lists changes that came with a revoked token.",
    query: openOrSettled,
    answer: z.object({ changes: z.array(KeptChange), nextCursor, total: z.int() }),
  }),
  applyKeptChange: route("POST", "/operator/v1/kept-changes/:changeId/apply", "manager", {
    summary: "Carries a kept change out in the name of the manager.",
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
    summary: "Decides against all kept changes at once, with one note.",
    body: z.strictObject({ note: Note }),
    answer: z.object({ dismissed: z.int() }),
  }),
  dismissKeptChange: route("POST", "/operator/v1/kept-changes/:changeId/dismiss", "manager", {
    summary: "Decides against a kept change, with a note.",
    body: z.strictObject({ note: Note }),
    answer: KeptChangeAnswer,
    errors: ["CONFLICT"],
  }),
};
