import type { KitchenTicket } from "@comanda/protocol";
import { checksOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { isoTime } from "../platform/world.ts";
import { createPackedTickets } from "./packed-tickets.ts";
import { createTicketLists } from "./ticket-lists.ts";
import { BODY, readTicket, type TicketRow } from "./ticket-rows.ts";
import { createTicketCache, type StoredTicket } from "./ticket-cache.ts";

export type TicketStore = ReturnType<typeof createTicketStore>;

/** A check's ticket in its own row, or a version of the check with its pack. */
interface RowOfOrder {
  id: number;
  body: string;
  ticketId: string;
  earlier: Buffer | null;
}

/** Stores kitchen tickets, and which checks hold or held a share of each. Calls `onDamage` for unreadable rows. */
export function createTicketStore(db: Db, onDamage: (description: string) => void = () => {}) {
  const get = db.prepare<[string], TicketRow>(`SELECT id, ${BODY} FROM tickets WHERE ticket_id = ?`);
  const insert = db
    .prepare<TicketColumns, number>(`
    INSERT INTO tickets (id, ticket_id, pos_reference, seq, is_over, sent_at, body)
    VALUES (@place, @ticketId, @posReference, @seq, @isOver, @sentAt, @body)
    ON CONFLICT (ticket_id) DO UPDATE SET
      seq = excluded.seq, is_over = excluded.is_over, sent_at = excluded.sent_at, body = excluded.body, packed = NULL
    RETURNING id`)
    .pluck();
  const link = db.prepare<{ posReference: string; ticketId: string }>(
    "INSERT OR IGNORE INTO ticket_orders (pos_reference, ticket_id) VALUES (@posReference, @ticketId)",
  );
  const listByOrder = db.prepare<{ posReference: string }, RowOfOrder>(`
    WITH RECURSIVE chain (id, previous_id) AS (
      SELECT id, previous_id FROM order_versions
      WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference
        UNION ALL SELECT last_id FROM removed_orders WHERE pos_reference = @posReference)
      UNION ALL
      SELECT v.id, v.previous_id FROM chain JOIN order_versions v ON v.id = chain.previous_id)
    SELECT t.id, ${BODY}, t.ticket_id AS ticketId, NULL AS earlier
    FROM ticket_orders o JOIN tickets t ON t.ticket_id = o.ticket_id WHERE o.pos_reference = @posReference
    UNION ALL
    SELECT v.id, ${BODY}, '', earlier FROM chain JOIN order_versions v USING (id) WHERE earlier IS NOT NULL`);
  const selectHolders = db
    .prepare<[string], string>("SELECT pos_reference FROM ticket_orders WHERE ticket_id = ?")
    .pluck();
  const wasOver = db.prepare<[string], number>("SELECT is_over FROM tickets WHERE ticket_id = ?").pluck();

  const read = (row: TicketRow): StoredTicket[] => readTicket(row, onDamage);
  const packed = createPackedTickets(db, read, onDamage);

  const cache = createTicketCache((posReference) => {
    const tickets = new Map<string, StoredTicket>();
    const unreadable = new Set<string>();
    for (const { earlier, ...row } of listByOrder.all({ posReference })) {
      if (earlier === null) {
        const [stored] = read(row);
        if (stored === undefined) unreadable.add(row.ticketId);
        else tickets.set(row.ticketId, stored);
        continue;
      }
      const pack = packed.inPack({ earlier, body: row.body });
      // A ticket with its own row may have changed since it was packed.
      for (const each of pack.tickets) {
        const own = get.get(each.ticket.id);
        const [stored] = own === undefined ? [each] : read(own);
        if (stored === undefined) unreadable.add(each.ticket.id);
        else tickets.set(each.ticket.id, stored);
      }
      for (const ticketId of pack.unreadable) if (get.get(ticketId) === undefined) unreadable.add(ticketId);
    }
    return {
      tickets: [...tickets.values()].toSorted((a, b) => a.id - b.id),
      unreadable: [...unreadable],
    };
  });

  function listAllHolders(ticketId: string): string[] {
    const linked = selectHolders.all(ticketId);
    return [...new Set([...linked, ...packed.find(ticketId).map(({ posReference }) => posReference)])];
  }

  /** Returns a ticket before its change. The change has read it, so only one dropped from the cache since is read again. */
  function beforeOf(tx: Tx, { id, sentAt }: KitchenTicket): KitchenTicket | null {
    const cached = cache.find(id);
    if (cached !== undefined || sentAt === isoTime(tx.now)) return cached ?? null;
    const row = get.get(id);
    return row === undefined ? null : (read(row)[0]?.ticket ?? null);
  }

  return {
    ...createTicketLists(db, read),
    get(ticketId: string): StoredTicket | null {
      const row = get.get(ticketId);
      if (row !== undefined) return read(row)[0] ?? null;
      return packed.find(ticketId).find(({ stored }) => stored !== null)?.stored ?? null;
    },
    /** Frozen, because callers share it. */
    listByOrder: cache.get,
    /** Must be called after tickets were packed or removed. */
    clearCache(): void {
      cache.forgetAll();
      packed.forgetPlaces();
    },
    /** Returns the checks that hold a share of a ticket, and the one that sent it. */
    listHolders(ticketId: string): Iterable<string> {
      const cached = cache.find(ticketId);
      return cached === undefined ? listAllHolders(ticketId) : checksOf(cached);
    },
    /** Returns the checks that hold or held a share of a ticket, also of an unreadable one. */
    listAllHolders,
    /** Whether a ticket was over when it was stored, also for an unreadable one. */
    wasOver: (ticketId: string): boolean => (wasOver.get(ticketId) ?? (packed.find(ticketId).length > 0 ? 1 : 0)) === 1,

    /** Stores a ticket with the checks that hold shares of it and returns the change. The caller emits it. */
    save(tx: Tx, ticket: KitchenTicket, origin: string): ChangeOf<"ticket.changed"> {
      const { id: ticketId, posReference } = ticket;
      const before = beforeOf(tx, ticket);
      const seq = tx.nextSeq();
      const sentAt = Date.parse(ticket.sentAt);
      const body = JSON.stringify(ticket);
      const place = packed.placeOf(ticketId);
      const id = insert.get({ place, ticketId, posReference, seq, isOver: ticket.isOver ? 1 : 0, sentAt, body }) ?? 0;
      const holders = checksOf(ticket);
      for (const holder of holders) link.run({ posReference: holder, ticketId });
      cache.stored(tx, { id, ticket, body }, holders);
      return { kind: "ticket.changed", seq, origin, ticket, before };
    },
  };
}

interface TicketColumns {
  place: number | null;
  ticketId: string;
  posReference: string;
  seq: number;
  isOver: 0 | 1;
  sentAt: number;
  body: string;
}
