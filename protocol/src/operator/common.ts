import { z } from "zod";
import { noteText } from "../basics/fields.ts";
import { OrderType } from "../orders/orders.ts";

/** ISO 8601 UTC. */
export const Instant = z.string();

/** Pending work: how much, and since when (ISO 8601; null if there is none). */
export const Backlog = z.object({ pending: z.int(), oldestAt: Instant.nullable() });

/** A terminal's unsent work, with the number and sum of its payments; null if the terminal does not report them. */
export const UnsentWork = Backlog.extend({ payments: z.int().nullable(), amount: z.number().nullable() });

/** The place of a check, taken from its own content. */
export const OrderPlace = z.object({
  orderType: OrderType,
  tableId: z.int().nullable(),
  ticketNumber: z.string().nullable(),
  checkNumber: z.number().nullable(),
});
export type OrderPlace = z.infer<typeof OrderPlace>;

/** Null if the hub does not have the check, or cannot read its content. */
export const listedPlace = { place: OrderPlace.nullable() };

/** Paging of every long list: `nextCursor` of one answer is `cursor` of the next request. */
export const paging = {
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
export const nextCursor = z.string().nullable();

/** Query of a list that managers work through: open entries, or settled ones. */
export const openOrSettled = z.strictObject({ state: z.enum(["open", "settled"]).default("open"), ...paging });

/** The length of a list. Searches count up to 1,000; `totalIsCapped` is set if there are more. */
export const countedTotal = { total: z.int(), totalIsCapped: z.literal(true).optional() };

/** A manager's free-text note, stored in the audit log. */
export const Note = noteText(500).trim().min(1);

/** The last writer: a terminal id, `ext:{keyId}` or `hub`. The screens show it in words. */
export const Writer = z.string();
