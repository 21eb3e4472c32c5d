import type { Db } from "../db/open.ts";
import { packBody } from "../db/rows/pack.ts";

/** About as many as one order has. */
const TICKETS_PER_STEP = 5;

/** Packs finished kitchen tickets in the caller's transaction. A later change unpacks its ticket. */
export function createTicketPacker(db: Db) {
  const asWritten = db.prepare<[number], { id: number; body: string }>(`
    SELECT id, body FROM tickets INDEXED BY ticket_as_written
    WHERE is_over = 1 AND packed IS NULL AND sent_at < ? ORDER BY sent_at LIMIT ${TICKETS_PER_STEP}`);
  const store = db.prepare<[Buffer, number]>("UPDATE tickets SET body = '', packed = ? WHERE id = ?");

  return {
    /** Packs a few tickets sent before a time (ms since 1970). Returns false if there are none. */
    packSome(before: number): boolean {
      const tickets = asWritten.all(before);
      for (const { id, body } of tickets) store.run(packBody(body), id);
      return tickets.length > 0;
    },
  };
}
