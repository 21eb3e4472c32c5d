import type { Db } from "../db/open.ts";
import { packBody } from "../db/rows/pack.ts";

/** About those of one order. */
const TICKETS_A_STEP = 5;

/** Packs the kitchen tickets that are over, in the caller's transaction; a change unpacks one again. */
export function createTicketPacker(db: Db) {
  const asWritten = db.prepare<[number], { id: number; body: string }>(`
    SELECT id, body FROM tickets INDEXED BY ticket_as_written
    WHERE is_over = 1 AND packed IS NULL AND sent_at < ? ORDER BY sent_at LIMIT ${TICKETS_A_STEP}`);
  const store = db.prepare<[Buffer, number]>("UPDATE tickets SET body = '', packed = ? WHERE id = ?");

  return {
    /** Packs a few of those that were sent before a time (ms since 1970); false when there are none. */
    packSome(before: number): boolean {
      const tickets = asWritten.all(before);
      for (const { id, body } of tickets) store.run(packBody(body), id);
      return tickets.length > 0;
    },
  };
}
