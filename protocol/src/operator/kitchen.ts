import { z } from "zod";
import { route } from "../http-route.ts";
import { OrderType } from "../orders.ts";
import { Instant, Writer } from "./common.ts";

/** `unseen`: no station has shown it; `seen`: shown; `started`: part is ready; `ready`: all of it is. */
export const TicketState = z.enum(["unseen", "seen", "started", "ready"]);
export type TicketState = z.infer<typeof TicketState>;

export const OperatorTicket = z.object({
  ticketId: z.string(),
  posReference: z.string(),
  orderType: OrderType,
  tableId: z.int().nullable(),
  checkNumber: z.number().nullable(),
  ticketNumber: z.string().nullable(),
  state: TicketState,
  sentAt: Instant,
  sentBy: Writer,
  /** It was queued on a terminal for more than 5 minutes: it may have been served already. */
  late: z.boolean(),
  queuedAt: Instant.nullable(),
  seen: z.array(z.object({ stationId: z.string(), at: Instant })),
  readyAt: Instant.nullable(),
  lines: z.array(
    z.object({
      lineId: z.string(),
      productId: z.string().nullable(),
      /** As the terminal named it; the catalogue knows better. */
      name: z.string().nullable(),
      quantity: z.number(),
      preparedQuantity: z.number(),
      status: z.string().nullable(),
      voided: z.boolean(),
      note: z.string().nullable(),
    }),
  ),
});
export type OperatorTicket = z.infer<typeof OperatorTicket>;

/** `open` = not ready yet and of an active order; `ready` = the last 100 that are. */
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
