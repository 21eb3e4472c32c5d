import { crc32 } from "node:zlib";
import type { Db } from "../db/open.ts";
import { type PackedTicket, ticketKey } from "../db/rows/pack.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { soundRow } from "../db/integrity/sealed-tables.ts";
import { MOST_OVER } from "../kitchen/ticket-lists.ts";

/** What of the tickets may lie with their checks: sent before a time, and last changed at a place in the shared state. */
export interface TicketAge {
  before: number;
  seq: number;
}

type TicketRow = Omit<PackedTicket, "checksum">;

export type TicketSettler = ReturnType<typeof createTicketSettler>;

/** Moves kitchen tickets that are over between their rows and the packs of their checks, in the caller's transaction. */
export function createTicketSettler(db: Db) {
  const ofOrder = db.prepare<{ posReference: string } & TicketAge, TicketRow>(`
    SELECT id AS place, ticket_id AS ticketId, seq, plain(body, packed) AS body FROM tickets
    WHERE ticket_id IN (SELECT ticket_id FROM ticket_orders WHERE pos_reference = @posReference)
      AND is_over = 1 AND sent_at < @before AND seq <= @seq
      -- The newest keeps its row, so that no later one takes its place.
      AND id < (SELECT max(id) FROM tickets) AND ${soundRow(db, "tickets")} ORDER BY id`);
  const isLinked = db.prepare<[string]>("SELECT 1 FROM ticket_orders WHERE pos_reference = ? LIMIT 1");
  const unlink = db.prepare<{ posReference: string; ticketId: string }>(
    "DELETE FROM ticket_orders WHERE pos_reference = @posReference AND ticket_id = @ticketId",
  );
  const isHeld = db.prepare<[string]>("SELECT 1 FROM ticket_orders WHERE ticket_id = ? LIMIT 1");
  const deleteTicket = db.prepare<[string]>("DELETE FROM tickets WHERE ticket_id = ?");
  const raiseLowWater = db.prepare<[number]>("UPDATE hub_state SET low_water_seq = max(low_water_seq, ?)");
  const newestListed = db
    .prepare<[], number>(`
      SELECT seq FROM tickets INDEXED BY ticket_over WHERE is_over = 1 ORDER BY seq DESC LIMIT 1 OFFSET ${MOST_OVER}`)
    .pluck();
  const find = db.prepare<{ key: number; id: number }>(
    "INSERT OR IGNORE INTO packed_tickets (ticket_key, version_id) VALUES (@key, @id)",
  );
  const forget = db.prepare<{ key: number; id: number }>(
    "DELETE FROM packed_tickets WHERE ticket_key = @key AND version_id = @id",
  );

  return {
    /** The place in the shared state above which tickets are listed yet. */
    newestSettled: (): number => newestListed.get() ?? -1,
    /** The tickets of a check that are sound and old enough. */
    ripe: (posReference: string, age: TicketAge): PackedTicket[] =>
      ofOrder
        .all({ posReference, ...age })
        .filter(({ body }) => parseColumn<unknown>(body, null) !== null)
        .map((row) => ({ ...row, checksum: crc32(row.body) })),
    /** Whether a check holds tickets that are not in its pack. */
    hasOthers: (posReference: string): boolean => isLinked.get(posReference) !== undefined,

    /** Takes tickets away that lie in the pack of a check now, unless they are yet to be packed with another one. */
    release(posReference: string, tickets: readonly Pick<PackedTicket, "ticketId" | "seq">[]): void {
      for (const { ticketId, seq } of tickets) {
        unlink.run({ posReference, ticketId });
        if (isHeld.get(ticketId) !== undefined) continue;
        deleteTicket.run(ticketId);
        // A terminal that is behind this change would never get it, so it gets everything again.
        raiseLowWater.run(seq);
      }
    },

    /** Notes where tickets are found by their ids: no longer in the row `from`, but in the row `to`. */
    moved(tickets: readonly PackedTicket[], from: number, to: number | null): void {
      for (const { ticketId } of tickets) {
        const key = ticketKey(ticketId);
        forget.run({ key, id: from });
        if (to !== null) find.run({ key, id: to });
      }
    },
  };
}
