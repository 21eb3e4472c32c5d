import { z } from "zod";
import { IsoTime, plainText, PosReference, Quantity, TableId } from "../basics/fields.ts";
import { OrderType } from "./orders.ts";

/** A record id of the back-office, as terminals and settings write it. */
const RecordId = z.union([plainText(64).min(1), z.int().positive()]);

/** The id of a station. Settings and terminals may write it as a number. */
export const StationId = RecordId.transform(String);

/**
 * A kitchen station. A product goes to the first station whose `productIds` or `categoryIds` contain it; a product that matches
 * none goes to the first station. `serving`: its tickets stay listed until they are served.
 */
export const Station = z.object({
  id: plainText(64).min(1),
  name: plainText(120).min(1),
  categoryIds: z.array(RecordId).max(1_000).default([]),
  productIds: z.array(RecordId).max(5_000).default([]),
  serving: z.boolean().optional(),
});
export type Station = z.infer<typeof Station>;

/** HUB_STATIONS. Empty: a single kitchen without a name. */
export const Stations = z
  .array(Station.extend({ id: StationId }))
  .max(50)
  .refine((stations) => new Set(stations.map(({ id }) => id)).size === stations.length, {
    error: "two stations have the same id",
  });

/** `served` and `cancelled` are final. A cancelled line stays listed until a station has marked it as seen. */
export const TicketLineState = z.enum(["unseen", "seen", "started", "ready", "served", "cancelled"]);
export type TicketLineState = z.infer<typeof TicketLineState>;

/** The part of a sent line that belongs to one check. Prepared and cancelled quantities are parts of `quantity`. */
export const TicketShare = z.object({
  posReference: PosReference,
  lineId: z.string(),
  quantity: Quantity,
  preparedQuantity: Quantity,
  cancelledQuantity: Quantity,
  /** The voided quantity, if greater than the cancelled one because some was already prepared. */
  voidedQuantity: Quantity.optional(),
  /** Its sender withdrew it; it is on no line of any check any more. */
  takenBack: z.literal(true).optional(),
  /** This share was served; the shares of other checks in the line were not yet. */
  isServed: z.literal(true).optional(),
});
export type TicketShare = z.infer<typeof TicketShare>;

/** One line of a ticket, readable without the menu. Quantities are the sums of its shares. */
export const TicketLine = z.looseObject({
  /** The line of the check from which it was sent. */
  lineId: z.string(),
  productId: z.union([z.string(), z.int()]).nullable(),
  name: z.string(),
  quantity: Quantity,
  preparedQuantity: Quantity,
  cancelledQuantity: Quantity,
  state: TicketLineState,
  /** The id that the shares of one dish have in common, whichever check lines they are on. */
  kitchenLineId: z.string(),
  /** A station has marked it as seen since it was last sent or cancelled. */
  isSeen: z.boolean(),
  isServed: z.boolean(),
  /** When all of it was ready, ISO 8601. */
  readyAt: z.string().optional(),
  /** The status text of the last KITCHEN_BUMP, if it had one. */
  kitchenItemStatus: z.string().optional(),
  modifiers: z.array(z.unknown()).optional(),
  note: z.string().nullish(),
  specialRequest: z.string().nullish(),
  /** What the guest is allergic to and must not eat. */
  allergy: z.string().nullish(),
  seat: z.union([z.string(), z.number()]).nullish(),
  course: z.union([z.string(), z.number()]).nullish(),
  /** Sold although it had run out, because the send was queued before that. */
  soldOut: z.literal(true).optional(),
  /** When its send was queued, if it arrived late. */
  queuedAt: z.string().optional(),
  shares: z.array(TicketShare),
});
export type TicketLine = z.infer<typeof TicketLine>;

/** The check that a dish is made for, with its place and note. */
export const CheckAddress = z.object({
  posReference: PosReference,
  orderType: OrderType,
  tableId: TableId.nullable(),
  checkNumber: z.number().nullable(),
  ticketNumber: z.string().nullable(),
  customerName: z.string().nullable(),
  /** The time promised to the guest for pickup or delivery. */
  promisedAt: z.string().optional(),
  /** The note of the whole check. */
  notes: z.string().optional(),
});
export type CheckAddress = z.infer<typeof CheckAddress>;

/** What one station was sent at one time. The ticket outlives its check. Times are ISO 8601. */
export const KitchenTicket = z.looseObject({
  id: z.string(),
  /** The check from which it was sent. */
  ...CheckAddress.shape,
  stationId: z.string().nullable(),
  stationName: z.string().nullable(),
  /** The other checks that hold shares of it. The address above is the check that sent it, or that now holds all of it. */
  alsoFor: z.array(CheckAddress).optional(),
  sentAt: z.string(),
  /** The name of the user, and the terminal. */
  sentBy: z.string(),
  terminalId: z.string(),
  late: z.boolean().optional(),
  queuedAt: z.string().optional(),
  seen: z.array(z.looseObject({ stationId: z.string(), at: z.string() })),
  /** Its station marks dishes as served; the ticket is not over until then. */
  serving: z.boolean(),
  lines: z.array(TicketLine),
  /** Made before all other tickets. */
  priority: z.literal(true).optional(),
  /** When all of it was ready, cancelled or served; null until then. */
  readyAt: z.string().nullable(),
  /** No longer in the kitchen's lists; a recall brings it back. */
  isOver: z.boolean(),
  /** Its slip was printed at a station that does not mark dishes. It leaves the lists, neither ready nor served. */
  onPaper: z.literal(true).optional(),
  /** It was not finished within 18 hours. */
  expired: z.literal(true).optional(),
});
export type KitchenTicket = z.infer<typeof KitchenTicket>;

export const ItemAvailability = z.enum(["available", "out", "limited"]);

/** Whether a product can be sold. `left` counts down while it is `limited`. At `until` it becomes available again. */
export const ItemState = z.object({
  productId: RecordId,
  state: ItemAvailability,
  left: Quantity.nullable(),
  until: IsoTime.nullable(),
  updatedAt: z.string(),
  /** When a person last set it, ISO 8601. What is sent after that is counted down. */
  saidAt: z.string().optional(),
});
export type ItemState = z.infer<typeof ItemState>;

/** A requested stock state: `left` for a limited product, `until` when it becomes available again by itself. */
export const SetItemState = ItemState.pick({ productId: true, state: true }).extend({
  left: Quantity.nullish(),
  until: IsoTime.nullish(),
});
export type SetItemState = z.infer<typeof SetItemState>;
