import { z } from "zod";
import { IsoTime, Money, noteText, plainText, PosReference, Quantity } from "../basics/fields.ts";
import { ItemAvailability, ItemState, KitchenTicket, SetItemState, StationId } from "../orders/kitchen.ts";
import { ITEM_ON_PAPER, ITEM_VOIDED } from "../orders/line-fields.ts";
import { OfferedOrder, OrderRemoval, OrderStatus, Snapshot, StoredOrder, TerminalSnapshot } from "../orders/orders.ts";
import { FiscalRequest, FiscalState, MethodId, Payment } from "../money/payments.ts";
import { RefusedToken } from "../access/refused-token.ts";
import { errorCode, mutation, place, requestId, seq } from "./envelope.ts";
import { tillMutations } from "./till-messages.ts";

/** Wider than a number's form: what is no number is refused as such, and the money is kept. */
const broughtNumber = plainText(64);
const onOrder = { ...mutation, posReference: PosReference };
const onVersion = { ...onOrder, baseVersion: z.int().positive() };
const orderWrite = { posReference: PosReference, baseVersion: z.int().nonnegative(), snapshot: TerminalSnapshot };

export const OrderUpsert = z.object({
  type: z.literal("ORDER_UPSERT"),
  ...mutation,
  ...orderWrite,
  /** A new check on a table that has one is wanted. */
  additionalCheck: z.boolean().optional(),
});

export const OrderBatch = z.object({
  type: z.literal("ORDER_BATCH"),
  ...mutation,
  /** As on ORDER_UPSERT; a batch that splits an order of the table needs none. */
  additionalCheck: z.boolean().optional(),
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
  /** Absent: all lines. */
  lineIds: z.array(plainText(64).min(1)).min(1).max(1000).optional(),
  /** Absent: the station of the ticket. */
  stationId: StationId.optional(),
  /** How much was shown of its lines as cancelled; absent: all that is. */
  lines: z
    .array(z.object({ lineId: plainText(64).min(1), cancelledQuantity: Quantity }))
    .min(1)
    .max(1000)
    .optional(),
});

/** Kitchen progress of a line: under its ticket over all shares of it, or under the check that holds the line now. */
export const KitchenBump = z
  .object({
    type: z.literal("KITCHEN_BUMP"),
    ...mutation,
    posReference: PosReference.optional(),
    kitchenTicketId: plainText(128).min(1).optional(),
    lineId: plainText(64).min(1),
    preparedQuantity: Quantity,
    /** How much was shown as prepared before; absent: as much as is. */
    shownQuantity: Quantity.optional(),
    kitchenItemStatus: plainText(32)
      .min(1)
      .refine((word) => word !== ITEM_VOIDED && word !== ITEM_ON_PAPER, "is a word of the hub's own")
      .optional(),
  })
  .refine((bump) => bump.posReference !== undefined || bump.kitchenTicketId !== undefined, {
    error: "posReference or kitchenTicketId must be present",
  });

export const KitchenServed = z.object({
  type: z.literal("KITCHEN_SERVED"),
  ...mutation,
  kitchenTicketId: plainText(128).min(1),
  /** These lines, or all that are ready. */
  lineIds: z.array(plainText(64).min(1)).min(1).max(1000).optional(),
  /** Of the lines named those that are ready by now: the kitchen may work on others again. */
  onlyReady: z.literal(true).optional(),
  /** Only what this check holds of them; absent: all. */
  heldBy: PosReference.optional(),
  /** They were not served after all. */
  undo: z.literal(true).optional(),
  stationId: StationId.optional(),
});

/** The kitchen is to make a ticket before all others, or in its turn again. */
export const KitchenPriority = z.object({
  type: z.literal("KITCHEN_PRIORITY"),
  ...mutation,
  kitchenTicketId: plainText(128).min(1),
  priority: z.boolean(),
});

export const ItemStateSet = z.object({
  type: z.literal("ITEM_STATE_SET"),
  ...mutation,
  ...SetItemState.shape,
});

export const OrderCheckout = z.object({ type: z.literal("ORDER_CHECKOUT"), ...onVersion });
export const OrderReopen = z.object({ type: z.literal("ORDER_REOPEN"), ...onVersion });

/** Only a check that itself comes to less than 0 is settled by amounts below 0. */
function giveNothingBack(payments: readonly { amount: number }[]): boolean {
  return payments.every(({ amount }) => amount >= 0) || payments.every(({ amount }) => amount <= 0);
}

export const OrderPay = z.object({
  type: z.literal("ORDER_PAY"),
  ...onOrder,
  /** 0 when this terminal never saw the order on the hub. */
  baseVersion: z.int().nonnegative(),
  payments: z.array(Payment).max(100).refine(giveNothingBack, "an amount is below 0: money goes back as a refund"),
  /** The identity of this payment through every retry. */
  paymentId: z.guid().optional(),
  ncf: broughtNumber.optional(),
  fiscal: FiscalRequest.optional(),
  /** The order's content, for a hub that does not have it. */
  snapshot: TerminalSnapshot.optional(),
});

/** One payment on a check; with those before it may settle the check. Idempotent by `tenderId`. */
export const OrderTender = z.object({
  type: z.literal("ORDER_TENDER"),
  ...onOrder,
  ...Payment.shape,
  methodId: MethodId,
  amount: Money.positive(),
  tenderId: z.guid(),
  /** What was due on the check when the money was taken: what exceeds the check by now, and not this, is no change that was given. */
  seenDue: Money.optional(),
  /** The number that the check is to get: that of the tender which settles it counts. */
  fiscal: FiscalRequest.optional(),
  ncf: broughtNumber.optional(),
});

export const OrderTenderVoid = z.object({
  type: z.literal("ORDER_TENDER_VOID"),
  ...mutation,
  tenderId: z.guid(),
  reason: noteText(500).min(1),
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
  KitchenServed,
  KitchenPriority,
  ItemStateSet,
  OrderCheckout,
  OrderReopen,
  OrderPay,
  OrderTender,
  OrderTenderVoid,
  OrderDiscard,
  ...tillMutations,
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
  /** The tickets of an ORDER_SEND, one for each station. */
  kitchenTicketIds: z.array(z.string()).optional(),
  /** Where the order stands after a payment. */
  status: OrderStatus.optional(),
  ncf: z.string().optional(),
  fiscal: FiscalState.optional(),
});

export const ItemStateAck = z.object({
  type: z.literal("ITEM_STATE_ACK"),
  requestId,
  mutationId: z.string(),
  productId: ItemState.shape.productId,
  state: ItemAvailability,
  seq,
  duplicate: z.literal(true).optional(),
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
  /** TABLE_OCCUPIED: the check that the table has; PARTY_SEATED: the one of the guests. */
  existing: z
    .looseObject({ posReference: PosReference, checkNumber: z.number().nullish(), staffName: z.string().nullish() })
    .optional(),
  /** ITEM_OUT: the line that cannot be sold. */
  lineId: z.string().optional(),
  /** RATE_CHANGED: at what rate the payment valued foreign cash, and at what the house does. */
  rates: z.object({ currency: z.string(), sent: z.number(), now: z.number() }).optional(),
  /** ACTOR_REFUSED: which token does not count, and why. */
  refusedToken: RefusedToken.optional(),
  /** The hub has kept the change, or the money of the payment, for a manager to decide on; the decision comes as an answer. */
  kept: z.literal(true).optional(),
});

export const OrderRemoved = z.object({
  type: z.literal("ORDER_REMOVED"),
  ...place,
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
  /** The checks that its lines went to. */
  mergedInto: z.array(PosReference).optional(),
});
export const OrderChanged = OrderRemoved.omit({ mergedInto: true }).extend({
  type: z.literal("ORDER_CHANGED"),
  order: StoredOrder,
});

export const TicketChanged = z.object({ type: z.literal("TICKET_CHANGED"), ...place, ticket: KitchenTicket });
export const ItemStateChanged = z.object({
  type: z.literal("ITEM_STATE_CHANGED"),
  ...place,
  ...ItemState.pick({ productId: true, state: true, left: true, until: true }).partial({ left: true, until: true })
    .shape,
  itemState: ItemState,
});

/**
 * Orders as this terminal held them before the hub's history forked from `epoch`, or another hub (`hubId`) stood in its
 * place, as far as the SYNC after it lacks them.
 */
export const OrderOffer = z.object({
  type: z.literal("ORDER_OFFER"),
  requestId,
  /** Whose history it was; absent: this hub's. */
  hubId: plainText(128).optional(),
  epoch: plainText(128),
  orders: z.array(OfferedOrder).max(500),
  /** Checks that this terminal knows to be discarded or merged. */
  removed: z
    .array(OrderRemoval.extend({ at: IsoTime }))
    .max(500)
    .optional(),
});

/** `taken`: the number of offered orders and removals that the hub keeps for a manager to decide on. */
export const OrderOfferAck = z.object({
  type: z.literal("ORDER_OFFER_ACK"),
  requestId,
  taken: z.int().nonnegative(),
  /** Orders and removals for which the list has no room until a manager has decided: to be offered again later. */
  waiting: z.array(PosReference).optional(),
  /** Why not all were taken, where that is not because the hub has them. */
  error: z.string().optional(),
});
