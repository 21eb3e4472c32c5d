import { z } from "zod";
import { IsoTime, Money, noteText, plainText, PosReference, Quantity } from "../basics/fields.ts";
import { ItemAvailability, ItemState, KitchenTicket, SetItemState, StationId } from "../orders/kitchen.ts";
import { ITEM_ON_PAPER, ITEM_VOIDED } from "../orders/line-fields.ts";
import { OfferedOrder, OrderRemoval, OrderStatus, Snapshot, StoredOrder, TerminalSnapshot } from "../orders/orders.ts";
import { FiscalRequest, FiscalState, MethodId, Payment } from "../money/payments.ts";
import { RefusedToken } from "../access/refused-token.ts";
import { errorCode, mutation, place, requestId, seq } from "./envelope.ts";
import { tillMutations } from "./till-messages.ts";

/** Accepts any text, so that an invalid fiscal number is rejected by its own rule and the money is kept. */
const broughtNumber = plainText(64);
const onOrder = { ...mutation, posReference: PosReference };
const onVersion = { ...onOrder, baseVersion: z.int().positive() };
const orderWrite = { posReference: PosReference, baseVersion: z.int().nonnegative(), snapshot: TerminalSnapshot };

export const OrderUpsert = z.object({
  type: z.literal("ORDER_UPSERT"),
  ...mutation,
  ...orderWrite,
  /** Confirms that a new check is wanted although the table already has one. */
  additionalCheck: z.boolean().optional(),
});

export const OrderBatch = z.object({
  type: z.literal("ORDER_BATCH"),
  ...mutation,
  /** As in ORDER_UPSERT; not needed if the batch splits an order of the table. */
  additionalCheck: z.boolean().optional(),
  orders: z
    .array(z.object(orderWrite))
    .min(1)
    .max(50)
    .refine((orders) => new Set(orders.map((order) => order.posReference)).size === orders.length, {
      error: "an order is listed twice",
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
  /** The cancelled quantity that was shown for each line; absent: all that is cancelled. */
  lines: z
    .array(z.object({ lineId: plainText(64).min(1), cancelledQuantity: Quantity }))
    .min(1)
    .max(1000)
    .optional(),
});

/** Kitchen progress of a line, either on its ticket for all shares, or on the check that holds the line now. */
export const KitchenBump = z
  .object({
    type: z.literal("KITCHEN_BUMP"),
    ...mutation,
    posReference: PosReference.optional(),
    kitchenTicketId: plainText(128).min(1).optional(),
    lineId: plainText(64).min(1),
    preparedQuantity: Quantity,
    /** The prepared quantity that was shown before; absent: the current one. */
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
  /** The served lines; absent: all that are ready. */
  lineIds: z.array(plainText(64).min(1)).min(1).max(1000).optional(),
  /** Ignores named lines that are not ready any more, because the kitchen works on them again. */
  onlyReady: z.literal(true).optional(),
  /** Only this check's shares of the lines; absent: all shares. */
  heldBy: PosReference.optional(),
  /** Reverts an earlier KITCHEN_SERVED. */
  undo: z.literal(true).optional(),
  stationId: StationId.optional(),
});

/** Moves a ticket before all others in the kitchen, or back to its turn. */
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

/** Returns whether amounts have one sign. Only a check with a negative total is settled by amounts below 0. */
function haveOneSign(payments: readonly { amount: number }[]): boolean {
  return payments.every(({ amount }) => amount >= 0) || payments.every(({ amount }) => amount <= 0);
}

export const OrderPay = z.object({
  type: z.literal("ORDER_PAY"),
  ...onOrder,
  /** 0 if this terminal never saw the order on the hub. */
  baseVersion: z.int().nonnegative(),
  payments: z.array(Payment).max(100).refine(haveOneSign, "an amount is below 0: use a refund to pay money back"),
  /** Idempotency key of this payment, the same in every retry. */
  paymentId: z.guid().optional(),
  ncf: broughtNumber.optional(),
  fiscal: FiscalRequest.optional(),
  /** The order's content, in case the hub does not have it. */
  snapshot: TerminalSnapshot.optional(),
});

/** One payment on a check; with the earlier ones it may settle the check. Idempotent by `tenderId`. */
export const OrderTender = z.object({
  type: z.literal("ORDER_TENDER"),
  ...onOrder,
  ...Payment.shape,
  methodId: MethodId,
  amount: Money.positive(),
  tenderId: z.guid(),
  /** The amount due when the money was taken. Only what exceeds this was given back as change. */
  seenDue: Money.optional(),
  /** The requested fiscal number. The request of the tender that settles the check is used. */
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

/** Messages that change shared state exactly once, even if they are sent several times. */
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
  /** The results of an ORDER_BATCH, in its order. */
  orders: z.array(z.object(acked)).optional(),
  /** The hub had already processed this mutation and did not repeat it. */
  duplicate: z.literal(true).optional(),
  /** The kitchen ticket of an ORDER_SEND; absent if there was nothing left to send. */
  kitchenTicketId: z.string().optional(),
  /** The tickets of an ORDER_SEND, one for each station. */
  kitchenTicketIds: z.array(z.string()).optional(),
  /** The order's status after a payment. */
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
  /** TABLE_OCCUPIED: the check on the table. PARTY_SEATED: the check of these guests. */
  existing: z
    .looseObject({ posReference: PosReference, checkNumber: z.number().nullish(), staffName: z.string().nullish() })
    .optional(),
  /** ITEM_OUT: the line that cannot be sold. */
  lineId: z.string().optional(),
  /** RATE_CHANGED: the exchange rate that the payment used, and the current one. */
  rates: z.object({ currency: z.string(), sent: z.number(), now: z.number() }).optional(),
  /** ACTOR_REFUSED: which token is invalid, and why. */
  refusedToken: RefusedToken.optional(),
  /** The hub has kept the change, or the payment, for a manager. The decision is sent as another answer. */
  kept: z.literal(true).optional(),
});

export const OrderRemoved = z.object({
  type: z.literal("ORDER_REMOVED"),
  ...place,
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
  /** The checks that received its lines. */
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
 * Orders as this terminal held them before the hub's history forked from `epoch`, or before another hub (`hubId`) was replaced
 * by this one. Contains only what the SYNC received since then lacks.
 */
export const OrderOffer = z.object({
  type: z.literal("ORDER_OFFER"),
  requestId,
  /** The hub whose history it was; absent: this hub's. */
  hubId: plainText(128).optional(),
  epoch: plainText(128),
  orders: z.array(OfferedOrder).max(500),
  /** Checks that this terminal knows were discarded or merged. */
  removed: z
    .array(OrderRemoval.extend({ at: IsoTime }))
    .max(500)
    .optional(),
});

/** `taken`: the number of offered orders and removals that the hub keeps for a manager's decision. */
export const OrderOfferAck = z.object({
  type: z.literal("ORDER_OFFER_ACK"),
  requestId,
  taken: z.int().nonnegative(),
  /** Orders and removals that did not fit in the list of undecided ones. The terminal has to offer them again later. */
  waiting: z.array(PosReference).optional(),
  /** Why some were not taken, except for those that the hub already has. */
  error: z.string().optional(),
});
