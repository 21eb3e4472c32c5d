import { z } from "zod";
import { noteText } from "../basics/fields.ts";
import { OrderType } from "../orders/orders.ts";

/** ISO 8601 UTC. */
export const Instant = z.string();

/** Something that waits: how much, since when (ISO 8601, null when nothing does). */
export const Backlog = z.object({ pending: z.int(), oldestAt: Instant.nullable() });

/** What a terminal has not sent: payments among it, and their sum; null from one that does not say. */
export const UnsentWork = Backlog.extend({ payments: z.int().nullable(), amount: z.number().nullable() });

/** Where a check belongs, from its own content. */
export const OrderPlace = z.object({
  orderType: OrderType,
  tableId: z.int().nullable(),
  ticketNumber: z.string().nullable(),
  checkNumber: z.number().nullable(),
});
export type OrderPlace = z.infer<typeof OrderPlace>;

/** Null for a check whose content the hub does not have, or cannot read. */
export const listedPlace = { place: OrderPlace.nullable() };

/** Paging of every long list: `nextCursor` of one answer is `cursor` of the next request. */
export const paging = {
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
export const nextCursor = z.string().nullable();

/** Of a list that a manager works through: what waits for one, or what was settled. */
export const openOrSettled = z.strictObject({ state: z.enum(["open", "settled"]).default("open"), ...paging });

/** How long a list is. A search is counted up to 1,000: `totalIsCapped` is there when it finds more. */
export const countedTotal = { total: z.int(), totalIsCapped: z.literal(true).optional() };

/** A free remark by a manager, kept in the audit log. */
export const Note = noteText(500).trim().min(1);

/** Last writer of something: a terminal id, `ext:{keyId}` or `hub`; the UI puts it into words. */
export const Writer = z.string();
