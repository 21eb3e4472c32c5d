import { crc32 } from "node:zlib";
import type { Db } from "../db/open.ts";
import { type PackedTicket, ticketKey } from "../db/rows/pack.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { soundRow } from "../db/integrity/sealed-tables.ts";
import { MAX_OVER } from "../kitchen/ticket-lists.ts";

/** Limits for tickets stored with their checks: sent before `before`, last changed at or before `seq`. */
export interface TicketAge {
  before: number;
  seq: number;
}

type TicketRow = Omit<PackedTicket, "checksum">;

export type TicketSettler = ReturnType<typeof createTicketSettler>;

/** Moves finished kitchen tickets between their rows and the packs of their checks, in the caller's transaction. */
export function createTicketSettler(db: Db) {
  const listByOrder = db.prepare<{ posReference: string } & TicketAge, TicketRow>(`
    SELECT id AS place, ticket_id AS ticketId, seq, plain(body, packed) AS body FROM tickets
    WHERE ticket_id IN (SELECT ticket_id FROM ticket_orders WHERE pos_reference = @posReference)
      AND is_over = 1 AND sent_at < @before AND seq <= @seq
      -- The newest ticket keeps its row, so that its id is not used again.
      AND id < (SELECT max(id) FROM tickets) AND ${soundRow(db, "tickets")} ORDER BY id`);
  const isLinked = db.prepare<[string]>("SELECT 1 FROM ticket_orders WHERE pos_reference = ? LIMIT 1");
  const unlink = db.prepare<{ posReference: string; ticketId: string }>(
    "DELETE FROM ticket_orders WHERE pos_reference = @posReference AND ticket_id = @ticketId",
  );
  const usedByOrder = db.prepare<[string]>("SELECT 1 FROM ticket_orders WHERE ticket_id = ? LIMIT 1");
  const deleteTicket = db.prepare<[string]>("DELETE FROM tickets WHERE ticket_id = ?");
  const raiseLowWater = db.prepare<[number]>("UPDATE hub_state SET low_water_seq = max(low_water_seq, ?)");
  const newestListed = db
    .prepare<[], number>(`
      SELECT seq FROM tickets INDEXED BY ticket_over WHERE is_over = 1 ORDER BY seq DESC LIMIT 1 OFFSET ${MAX_OVER}`)
    .pluck();
  const find = db.prepare<{ key: number; id: number }>(
    "INSERT OR IGNORE INTO packed_tickets (ticket_key, version_id) VALUES (@key, @id)",
  );
  const forget = db.prepare<{ key: number; id: number }>(
    "DELETE FROM packed_tickets WHERE ticket_key = @key AND version_id = @id",
  );

  return {
    /** Returns the position in the shared state above which tickets are still listed. */
    newestSettled: (): number => newestListed.get() ?? -1,
    /** Returns a check's tickets that are intact and old enough. */
    settled: (posReference: string, age: TicketAge): PackedTicket[] =>
      listByOrder
        .all({ posReference, ...age })
        .filter(({ body }) => parseColumn<unknown>(body, null) !== null)
        .map((row) => ({ ...row, checksum: crc32(row.body) })),
    /** Whether a check has tickets outside its pack. */
    hasOthers: (posReference: string): boolean => isLinked.get(posReference) !== undefined,

    /** Deletes the rows of tickets now in a check's pack, unless another check still has to pack them. */
    release(posReference: string, tickets: readonly Pick<PackedTicket, "ticketId" | "seq">[]): void {
      for (const { ticketId, seq } of tickets) {
        unlink.run({ posReference, ticketId });
        if (usedByOrder.get(ticketId) !== undefined) continue;
        deleteTicket.run(ticketId);
        // A terminal behind this change would never receive it, so it must reload everything.
        raiseLowWater.run(seq);
      }
    },

    /** Updates the index by ticket id: the tickets moved from row `from` to row `to`. */
    moved(tickets: readonly PackedTicket[], from: number, to: number | null): void {
      for (const { ticketId } of tickets) {
        const key = ticketKey(ticketId);
        forget.run({ key, id: from });
        if (to !== null) find.run({ key, id: to });
      }
    },
  };
}
