import type { KitchenTicket } from "@comanda/protocol";
import { checksOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { isoTime } from "../platform/world.ts";
import { createPackedTickets } from "./packed-tickets.ts";
import { createTicketsOfOrders, type StoredTicket } from "./tickets-of-orders.ts";

/** What is over is packed some day: first by itself, then with its check. */
const BODY = "plain(body, packed) AS body";

/** How many tickets that nobody finished are read at once. */
export const MOST_OVERDUE = 100;

/** How many of those that are over can be listed: so many are not packed with their checks. */
export const MOST_OVER = 100;

export type TicketStore = ReturnType<typeof createTicketStore>;

interface Row {
  id: number;
  body: string;
}

/** A ticket of a check in a row of its own, or a version of the check with its pack. */
interface RowOfOrder {
  id: number;
  body: string;
  ticketId: string;
  earlier: Buffer | null;
}

/** Kitchen tickets, and which checks hold or held a share of each. `onDamage` is called for a row that cannot be read. */
export function createTicketStore(db: Db, onDamage: (what: string) => void = () => {}) {
  const get = db.prepare<[string], Row>(`SELECT id, ${BODY} FROM tickets WHERE ticket_id = ?`);
  const insert = db
    .prepare<TicketColumns, number>(`
    INSERT INTO tickets (id, ticket_id, pos_reference, seq, is_over, sent_at, body)
    VALUES (@place, @ticketId, @posReference, @seq, @isOver, @sentAt, @body)
    ON CONFLICT (ticket_id) DO UPDATE SET
      seq = excluded.seq, is_over = excluded.is_over, body = excluded.body, packed = NULL
    RETURNING id`)
    .pluck();
  const link = db.prepare<{ posReference: string; ticketId: string }>(
    "INSERT OR IGNORE INTO ticket_orders (pos_reference, ticket_id) VALUES (@posReference, @ticketId)",
  );
  const ofOrder = db.prepare<{ posReference: string }, RowOfOrder>(`
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
  const holders = db.prepare<[string], string>("SELECT pos_reference FROM ticket_orders WHERE ticket_id = ?").pluck();
  const wasOver = db.prepare<[string], number>("SELECT is_over FROM tickets WHERE ticket_id = ?").pluck();
  const open = db.prepare<[], Row>("SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 ORDER BY id");
  const over = db.prepare<[number], Row>(`SELECT id, ${BODY} FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT ?`);
  const openIds = db
    .prepare<[], number>("SELECT id FROM tickets INDEXED BY ticket_open WHERE is_over = 0 ORDER BY id")
    .pluck();
  const lastOver = db.prepare<[], { id: number; sentAt: number }>(
    `SELECT id, sent_at AS sentAt FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT ${MOST_OVER}`,
  );
  const changedIds = db.prepare<[number], number>("SELECT id FROM tickets WHERE seq > ? ORDER BY seq").pluck();
  const countOpen = db
    .prepare<[number], number>(
      "SELECT count(*) FROM (SELECT 1 FROM tickets INDEXED BY ticket_open WHERE is_over = 0 LIMIT ?)",
    )
    .pluck();
  const countChanged = db
    .prepare<[number, number], number>("SELECT count(*) FROM (SELECT 1 FROM tickets WHERE seq > ? LIMIT ?)")
    .pluck();
  const byId = db.prepare<[number], Row>(`SELECT id, ${BODY} FROM tickets WHERE id = ?`);
  const overdue = db.prepare<[number], Row>(
    `SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 AND sent_at < ? LIMIT ${MOST_OVERDUE}`,
  );
  const newestSeq = db.prepare<[], number | null>("SELECT max(seq) FROM tickets").pluck();

  function read({ id, body }: Row): StoredTicket[] {
    const ticket = parseColumn<KitchenTicket | null>(body, null);
    if (ticket === null) onDamage(`a kitchen ticket cannot be read: ${body.slice(0, 160)}`);
    return ticket === null ? [] : [{ id, ticket, body }];
  }
  const packed = createPackedTickets(db, read, onDamage);

  const ofOrders = createTicketsOfOrders((posReference) => {
    const tickets = new Map<string, StoredTicket>();
    const unreadable = new Set<string>();
    for (const { earlier, ...row } of ofOrder.all({ posReference })) {
      if (earlier === null) {
        const [stored] = read(row);
        if (stored === undefined) unreadable.add(row.ticketId);
        else tickets.set(row.ticketId, stored);
        continue;
      }
      const pack = packed.inPack({ earlier, body: row.body });
      // What has a row of its own may have changed since it was packed.
      for (const each of pack.tickets) {
        const own = get.get(each.ticket.id);
        const [stored] = own === undefined ? [each] : read(own);
        if (stored === undefined) unreadable.add(each.ticket.id);
        else tickets.set(each.ticket.id, stored);
      }
      for (const ticketId of pack.unreadable) if (get.get(ticketId) === undefined) unreadable.add(ticketId);
    }
    return {
      tickets: [...tickets.values()].toSorted((one, other) => one.id - other.id),
      unreadable: [...unreadable],
    };
  });

  function holdersOfRow(ticketId: string): string[] {
    const linked = holders.all(ticketId);
    return [...new Set([...linked, ...packed.find(ticketId).map(({ posReference }) => posReference)])];
  }
  /** A change of a ticket has looked at it: only one that fell out of what is kept since is read again. */
  function beforeOf(tx: Tx, { id, sentAt }: KitchenTicket): KitchenTicket | null {
    const known = ofOrders.find(id);
    if (known !== undefined || sentAt === isoTime(tx.now)) return known ?? null;
    const row = get.get(id);
    return row === undefined ? null : (read(row)[0]?.ticket ?? null);
  }
  const readAll = (rows: readonly Row[]): KitchenTicket[] => rows.flatMap(read).map(({ ticket }) => ticket);

  return {
    get(ticketId: string): StoredTicket | null {
      const row = get.get(ticketId);
      if (row !== undefined) return read(row)[0] ?? null;
      return packed.find(ticketId).find(({ stored }) => stored !== null)?.stored ?? null;
    },
    /** Frozen: they are shared. */
    ofOrder: ofOrders.get,
    /** To be called when tickets were packed or removed. */
    forgetKept(): void {
      ofOrders.forgetAll();
      packed.forgetPlaces();
    },
    /** The checks that hold a share of a ticket, and the one that sent it. */
    holdersOf(ticketId: string): Iterable<string> {
      const known = ofOrders.find(ticketId);
      return known === undefined ? holdersOfRow(ticketId) : checksOf(known);
    },
    /** The checks that hold or held a share of a ticket, also of one that cannot be read. */
    holders: holdersOfRow,
    /** Whether a ticket was over when it was stored, also one that cannot be read. */
    wasOver: (ticketId: string): boolean => (wasOver.get(ticketId) ?? (packed.find(ticketId).length > 0 ? 1 : 0)) === 1,
    /** Those that are not over, oldest first. */
    open: (): KitchenTicket[] => readAll(open.all()),
    /** The last that were over, newest change first; MOST_OVER at most. */
    over: (limit: number): KitchenTicket[] => readAll(over.all(limit)),
    /** The places of those that are not over, oldest first. */
    openIds: (): number[] => openIds.all(),
    /**
     * The same of those that changed after `seq`, oldest change first. No `delta` goes back to one that is packed with its
     * check.
     */
    changedIds: (seq: number): number[] => changedIds.all(seq),
    /** The places of those that were over last and were sent since a time (ms since 1970), oldest change first; MOST_OVER at most. */
    overIds: (sentSince: number): number[] =>
      lastOver
        .all()
        .flatMap(({ id, sentAt }) => (sentAt >= sentSince ? [id] : []))
        .reverse(),
    /** How many there are of each kind; `most` at most are counted. */
    countOpen: (most: number): number => countOpen.get(most) ?? 0,
    countChanged: (seq: number, most: number): number => countChanged.get(seq, most) ?? 0,
    /** Serialized, for a SYNC; none where it cannot be read. */
    wire(id: number): string[] {
      const row = byId.get(id);
      return row === undefined ? [] : read(row).map(({ body }) => body);
    },
    /** The same of one that is over, unless paper has settled it: nobody can recall what nobody marked. */
    wireOver(id: number): string[] {
      const row = byId.get(id);
      return row === undefined ? [] : read(row).flatMap(({ ticket, body }) => (ticket.onPaper === true ? [] : body));
    },
    /** Those that are not over and were sent before a time (ms since 1970), MOST_OVERDUE at most. */
    overdue: (before: number): KitchenTicket[] => readAll(overdue.all(before)),
    /** The place of the newest change of a ticket in the shared state. */
    newestSeq: (): number => newestSeq.get() ?? 0,

    /** Stores a ticket with the checks that hold shares of it and returns the change; the caller emits it. */
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
      ofOrders.stored(tx, { id, ticket, body }, holders);
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
