import { z } from "zod";
import { route } from "../http/http-route.ts";
import { CheckAddress, TicketLine } from "../orders/kitchen.ts";
import { Instant, OrderPlace, Writer } from "./common.ts";

/**
 * `unseen`: a line waits for a station to show it; `seen`: shown; `started`: part is being made; `ready`: all of it is;
 * `served`: all of it was; `cancelled`: nothing of it is wanted any more.
 */
export const TicketState = z.enum(["unseen", "seen", "started", "ready", "served", "cancelled"]);
export type TicketState = z.infer<typeof TicketState>;

export const OperatorTicket = z.object({
  ticketId: z.string(),
  posReference: z.string(),
  ...OrderPlace.shape,
  customerName: z.string().nullable(),
  /** Where the other checks are that hold a part of it. */
  alsoFor: z.array(CheckAddress),
  /** Null where the kitchen has no stations. */
  stationId: z.string().nullable(),
  stationName: z.string().nullable(),
  state: TicketState,
  /** It has left the lists of the kitchen. */
  isOver: z.boolean(),
  sentAt: Instant,
  sentBy: Writer,
  /** It is to be made before all others. */
  priority: z.boolean(),
  /** It was queued on a terminal for more than 5 minutes: it may have been served already. */
  late: z.boolean(),
  /** Its slip came out at a station where nobody marks dishes: it is over, neither ready nor served. */
  onPaper: z.literal(true).optional(),
  queuedAt: Instant.nullable(),
  seen: z.array(z.object({ stationId: z.string(), at: Instant })),
  readyAt: Instant.nullable(),
  lines: z.array(
    TicketLine.pick({
      lineId: true,
      name: true,
      quantity: true,
      preparedQuantity: true,
      cancelledQuantity: true,
      state: true,
      isSeen: true,
      modifiers: true,
      seat: true,
      course: true,
      soldOut: true,
    }).extend({
      productId: z.string().nullable(),
      note: z.string().nullable(),
      specialRequest: z.string().nullable(),
      allergy: z.string().nullable(),
      /** The checks that hold it now. */
      posReferences: z.array(z.string()),
    }),
  ),
});
export type OperatorTicket = z.infer<typeof OperatorTicket>;

/** `open` = in the lists of the kitchen, whatever became of the check; `ready` = the last 100 that have left them. */
export const KitchenQuery = z.strictObject({ state: z.enum(["open", "ready"]).default("open") });

export const TicketList = z.object({ tickets: z.array(OperatorTicket) });
export type TicketList = z.infer<typeof TicketList>;

export const kitchenRoutes = {
  kitchen: route("GET", "/operator/v1/kitchen", "manager", {
    summary: "Lists kitchen tickets, oldest first.",
    query: KitchenQuery,
    answer: TicketList,
  }),
};
