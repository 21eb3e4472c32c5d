import { z } from "zod";
import { IsoTime, plainText, PosReference, Quantity, TableId } from "../basics/fields.ts";
import { OrderType } from "./orders.ts";

/** A record id of the back-office as terminals and settings write it. */
const RecordId = z.union([plainText(64).min(1), z.int().positive()]);

/** The id of a station, which settings and terminals may write as a number. */
export const StationId = RecordId.transform(String);

/**
 * A place of the kitchen. The first station whose `productIds` or `categoryIds` hold a product gets it; what matches none
 * goes to the first station. `serving`: its tickets stay in the lists until they are served.
 */
export const Station = z.object({
  id: plainText(64).min(1),
  name: plainText(120).min(1),
  categoryIds: z.array(RecordId).max(1_000).default([]),
  productIds: z.array(RecordId).max(5_000).default([]),
  serving: z.boolean().optional(),
});
export type Station = z.infer<typeof Station>;

/** HUB_STATIONS. Empty: one kitchen without a name. */
export const Stations = z
  .array(Station.extend({ id: StationId }))
  .max(50)
  .refine((stations) => new Set(stations.map(({ id }) => id)).size === stations.length, {
    error: "two stations have the same id",
  });

/** `served` and `cancelled` are ends; a cancelled line stays in the lists until a station has marked it as seen. */
export const TicketLineState = z.enum(["unseen", "seen", "started", "ready", "served", "cancelled"]);
export type TicketLineState = z.infer<typeof TicketLineState>;

/** The part of a sent line that one check holds. Prepared and cancelled quantities are parts of `quantity`. */
export const TicketShare = z.object({
  posReference: PosReference,
  lineId: z.string(),
  quantity: Quantity,
  preparedQuantity: Quantity,
  cancelledQuantity: Quantity,
  /** What of it is void, where that is more than what is cancelled: some was prepared before. */
  voidedQuantity: Quantity.optional(),
  /** Taken back by its sender: no line of a check holds it any more. */
  takenBack: z.literal(true).optional(),
  /** It was taken to its guests, and what other checks hold of its line was not yet. */
  isServed: z.literal(true).optional(),
});
export type TicketShare = z.infer<typeof TicketShare>;

/** What was asked of a station in one line, in words that need no menu. Quantities are the sums of its shares. */
export const TicketLine = z.looseObject({
  /** The line of the check from which it was sent. */
  lineId: z.string(),
  productId: z.union([z.string(), z.int()]).nullable(),
  name: z.string(),
  quantity: Quantity,
  preparedQuantity: Quantity,
  cancelledQuantity: Quantity,
  state: TicketLineState,
  /** What shares of one dish have in common, on whichever lines of checks they are. */
  kitchenLineId: z.string(),
  /** A station has marked it as seen since it was sent or last cancelled. */
  isSeen: z.boolean(),
  isServed: z.boolean(),
  /** When all of it was ready, ISO 8601. */
  readyAt: z.string().optional(),
  /** The word of the last KITCHEN_BUMP, if it had one. */
  kitchenItemStatus: z.string().optional(),
  modifiers: z.array(z.unknown()).optional(),
  note: z.string().nullish(),
  specialRequest: z.string().nullish(),
  /** What the guest must not eat. */
  allergy: z.string().nullish(),
  seat: z.union([z.string(), z.number()]).nullish(),
  course: z.union([z.string(), z.number()]).nullish(),
  /** Sold although it had run out: it was queued before. */
  soldOut: z.literal(true).optional(),
  shares: z.array(TicketShare),
});
export type TicketLine = z.infer<typeof TicketLine>;

/** A check, and where it is: for whom a dish is made. */
export const CheckAddress = z.object({
  posReference: PosReference,
  orderType: OrderType,
  tableId: TableId.nullable(),
  checkNumber: z.number().nullable(),
  ticketNumber: z.string().nullable(),
  customerName: z.string().nullable(),
  /** When it was promised to be ready, or there. */
  promisedAt: z.string().optional(),
});
export type CheckAddress = z.infer<typeof CheckAddress>;

/** What was sent to one station at once; a record of its own, which outlives the check. Times are ISO 8601. */
export const KitchenTicket = z.looseObject({
  id: z.string(),
  /** The check from which it was sent. */
  ...CheckAddress.shape,
  stationId: z.string().nullable(),
  stationName: z.string().nullable(),
  /** Where the other checks are that hold shares of it; the address above is that of the check that sent it, or has it all. */
  alsoFor: z.array(CheckAddress).optional(),
  sentAt: z.string(),
  /** The user's name, and the terminal. */
  sentBy: z.string(),
  terminalId: z.string(),
  late: z.boolean().optional(),
  queuedAt: z.string().optional(),
  seen: z.array(z.looseObject({ stationId: z.string(), at: z.string() })),
  /** Its station marks serving: until then the ticket is not over. */
  serving: z.boolean(),
  lines: z.array(TicketLine),
  /** It is to be made before all others. */
  priority: z.literal(true).optional(),
  /** When all of it was ready, cancelled or served; null while it is not. */
  readyAt: z.string().nullable(),
  /** It has left the kitchen's lists; a recall brings it back. */
  isOver: z.boolean(),
  /** Its slip came out at a station where nobody marks dishes: it is done for the lists, neither ready nor served. */
  onPaper: z.literal(true).optional(),
  /** Nobody finished it within 18 hours. */
  expired: z.literal(true).optional(),
});
export type KitchenTicket = z.infer<typeof KitchenTicket>;

export const ItemAvailability = z.enum(["available", "out", "limited"]);

/** Whether a product can be sold: `left` counts down while it is `limited`; at `until` it is available again. */
export const ItemState = z.object({
  productId: RecordId,
  state: ItemAvailability,
  left: Quantity.nullable(),
  until: IsoTime.nullable(),
  updatedAt: z.string(),
  /** When somebody said so last, ISO 8601; what was sent since is counted down from it. */
  saidAt: z.string().optional(),
});
export type ItemState = z.infer<typeof ItemState>;

/** What is to become of a product: `left` of a limited one, `until` when it is available again by itself. */
export const SetItemState = ItemState.pick({ productId: true, state: true }).extend({
  left: Quantity.nullish(),
  until: IsoTime.nullish(),
});
export type SetItemState = z.infer<typeof SetItemState>;
