import { z } from "zod";
import { route } from "../http/http-route.ts";
import { CheckAddress, KitchenTicket, TicketLine } from "../orders/kitchen.ts";
import { Instant, Writer } from "./common.ts";

/**
 * `unseen`: a line is not shown at a station yet. `seen`: all are shown. `started`: part of it is being made. `ready` and
 * `served`: all of it is. `cancelled`: none of it is wanted any more.
 */
export const TicketState = z.enum(["unseen", "seen", "started", "ready", "served", "cancelled"]);
export type TicketState = z.infer<typeof TicketState>;

/** A ticket as the screens show it, with every default filled in. */
export const OperatorTicket = z.object({
  ...KitchenTicket.omit({ id: true, terminalId: true, serving: true, expired: true }).shape,
  ticketId: z.string(),
  alsoFor: z.array(CheckAddress),
  state: TicketState,
  sentBy: Writer,
  priority: z.boolean(),
  /** It was queued on a terminal for more than 5 minutes, so it may have been served already. */
  late: z.boolean(),
  queuedAt: Instant.nullable(),
  lines: z.array(
    TicketLine.omit({ shares: true, kitchenLineId: true, isServed: true }).extend({
      productId: z.string().nullable(),
      note: z.string().nullable(),
      specialRequest: z.string().nullable(),
      allergy: z.string().nullable(),
      /** The checks that hold the line now. */
      posReferences: z.array(z.string()),
    }),
  ),
});
export type OperatorTicket = z.infer<typeof OperatorTicket>;

/** `open`: tickets in the kitchen's lists, even if the check is closed. `ready`: the last 100 that have left the lists. */
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
