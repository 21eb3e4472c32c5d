import { z } from "zod";
import { IsoTime, noteText, plainText, PosReference, Quantity } from "../fields.ts";
import { OfferedOrder, Payment, Snapshot, StoredOrder, TerminalSnapshot } from "../orders.ts";
import { errorCode, requestId, seq } from "./envelope.ts";

/** What every mutation carries; `queuedAt` is when the terminal put it into its outbox. */
const mutation = { requestId, mutationId: z.guid(), queuedAt: IsoTime.optional() };
const onOrder = { ...mutation, posReference: PosReference };
const onVersion = { ...onOrder, baseVersion: z.int().positive() };
const orderWrite = { posReference: PosReference, baseVersion: z.int().nonnegative(), snapshot: TerminalSnapshot };

export const OrderUpsert = z.object({ type: z.literal("ORDER_UPSERT"), ...mutation, ...orderWrite });

export const OrderBatch = z.object({
  type: z.literal("ORDER_BATCH"),
  ...mutation,
  orders: z
    .array(z.object(orderWrite))
    .min(1)
    .max(50)
    .refine((orders) => new Set(orders.map((order) => order.posReference)).size === orders.length, {
      error: "an order is named twice",
    }),
});

export const OrderSend = z.object({
  type: z.literal("ORDER_SEND"),
  ...onOrder,
  lineIds: z.array(plainText(64).min(1)).min(1).max(1000).optional(),
});

export const KitchenSeen = z.object({
  type: z.literal("KITCHEN_SEEN"),
  ...mutation,
  kitchenTicketId: plainText(128).min(1),
  stationId: plainText(64).min(1),
});

export const KitchenBump = z.object({
  type: z.literal("KITCHEN_BUMP"),
  ...onOrder,
  lineId: plainText(64).min(1),
  preparedQuantity: Quantity,
  kitchenItemStatus: plainText(32).min(1).optional(),
});

export const OrderCheckout = z.object({ type: z.literal("ORDER_CHECKOUT"), ...onVersion });
export const OrderReopen = z.object({ type: z.literal("ORDER_REOPEN"), ...onVersion });

export const OrderPay = z.object({
  type: z.literal("ORDER_PAY"),
  ...onVersion,
  payments: z.array(Payment).max(100),
  ncf: plainText(19).min(1).optional(),
  fiscal: z.looseObject({}).optional(),
});

export const OrderDiscard = z.object({
  type: z.literal("ORDER_DISCARD"),
  ...onVersion,
  reason: noteText(500).optional(),
});

/** Messages that change shared state exactly once, whatever the network does. */
export const OrderMutation = z.discriminatedUnion("type", [
  OrderUpsert,
  OrderBatch,
  OrderSend,
  KitchenSeen,
  KitchenBump,
  OrderCheckout,
  OrderReopen,
  OrderPay,
  OrderDiscard,
]);
export type OrderMutation = z.infer<typeof OrderMutation>;

const acked = { posReference: PosReference, version: z.int().positive(), seq };

export const OrderAck = z.object({
  type: z.literal("ORDER_ACK"),
  requestId,
  mutationId: z.string(),
  posReference: PosReference.optional(),
  version: z.int().positive().optional(),
  seq: seq.optional(),
  /** The answers of an ORDER_BATCH, in its order. */
  orders: z.array(z.object(acked)).optional(),
  /** The hub had already carried this mutation out; it was not repeated. */
  duplicate: z.literal(true).optional(),
  /** The kitchen ticket of an ORDER_SEND; absent when the kitchen had everything. */
  kitchenTicketId: z.string().optional(),
});

export const OrderRejected = z.object({
  type: z.literal("ORDER_REJECTED"),
  requestId,
  mutationId: z.string(),
  posReference: PosReference.optional(),
  errorCode,
  error: z.string(),
  retryable: z.boolean(),
  hubVersion: z.int().optional(),
  snapshot: Snapshot.optional(),
});

export const OrderRemoved = z.object({
  type: z.literal("ORDER_REMOVED"),
  seq,
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
});
export const OrderChanged = OrderRemoved.extend({ type: z.literal("ORDER_CHANGED"), order: StoredOrder });

/** Orders as this terminal held them before the hub's history forked from `epoch`, as far as the SYNC after it lacks them. */
export const OrderOffer = z.object({
  type: z.literal("ORDER_OFFER"),
  requestId,
  epoch: plainText(128),
  orders: z.array(OfferedOrder).max(500),
});

/** `taken`: the number of offered orders that the hub keeps for a manager to decide on. */
export const OrderOfferAck = z.object({ type: z.literal("ORDER_OFFER_ACK"), requestId, taken: z.int().nonnegative() });
