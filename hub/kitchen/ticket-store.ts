import type { KitchenTicket } from "@comanda/protocol";
import { checksOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/parse-column.ts";
import { createTicketsOfOrders, type StoredTicket } from "./tickets-of-orders.ts";

/** What is over is packed some day. */
const BODY = "plain(body, packed) AS body";

/** How many tickets that nobody finished are read at once. */
export const MOST_OVERDUE = 100;

export type TicketStore = ReturnType<typeof createTicketStore>;

interface Row {
  id: number;
  body: string;
}

/** Kitchen tickets, and which checks hold or held a share of each. `onDamage` is called for a row that cannot be read. */
export function createTicketStore(db: Db, onDamage: (what: string) => void = () => {}) {
  const get = db.prepare<[string], Row>(`SELECT id, ${BODY} FROM tickets WHERE ticket_id = ?`);
  const insert = db
    .prepare<TicketColumns, number>(`
    INSERT INTO tickets (ticket_id, pos_reference, seq, is_over, sent_at, body)
    VALUES (@ticketId, @posReference, @seq, @isOver, @sentAt, @body)
    ON CONFLICT (ticket_id) DO UPDATE SET
      seq = excluded.seq, is_over = excluded.is_over, body = excluded.body, packed = NULL
    RETURNING id`)
    .pluck();
  const link = db.prepare<{ posReference: string; ticketId: string }>(
    "INSERT OR IGNORE INTO ticket_orders (pos_reference, ticket_id) VALUES (@posReference, @ticketId)",
  );
  const ofOrder = db.prepare<[string], Row & { ticketId: string }>(`
    SELECT t.id, ${BODY}, t.ticket_id AS ticketId FROM ticket_orders o JOIN tickets t ON t.ticket_id = o.ticket_id
    WHERE o.pos_reference = ?`);
  const holders = db.prepare<[string], string>("SELECT pos_reference FROM ticket_orders WHERE ticket_id = ?").pluck();
  const wasOver = db.prepare<[string], number>("SELECT is_over FROM tickets WHERE ticket_id = ?").pluck();
  const open = db.prepare<[], Row>("SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 ORDER BY id");
  const over = db.prepare<[number], Row>(`SELECT id, ${BODY} FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT ?`);
  const changedSince = db.prepare<[number], Row>(`SELECT id, ${BODY} FROM tickets WHERE seq > ? ORDER BY seq`);
  const overdue = db.prepare<[number], Row>(
    `SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 AND sent_at < ? LIMIT ${MOST_OVERDUE}`,
  );
  const newestSeq = db.prepare<[], number | null>("SELECT max(seq) FROM tickets").pluck();

  function read({ id, body }: Row): StoredTicket[] {
    const ticket = parseColumn<KitchenTicket | null>(body, null);
    if (ticket === null) onDamage(`a kitchen ticket cannot be read: ${body.slice(0, 160)}`);
    return ticket === null ? [] : [{ id, ticket, body }];
  }
  const ofOrders = createTicketsOfOrders((posReference) => {
    const found = ofOrder.all(posReference).map((row) => ({ row, tickets: read(row) }));
    return {
      tickets: found.flatMap(({ tickets }) => tickets),
      unreadable: found.flatMap(({ row, tickets }) => (tickets.length === 0 ? [row.ticketId] : [])),
    };
  });
  const readAll = (rows: readonly Row[]): KitchenTicket[] => rows.flatMap(read).map(({ ticket }) => ticket);

  return {
    get(ticketId: string): StoredTicket | null {
      const row = get.get(ticketId);
      return row === undefined ? null : (read(row)[0] ?? null);
    },
    /** Frozen: they are shared. */
    ofOrder: ofOrders.get,
    /** To be called when tickets were removed. */
    forgetKept: ofOrders.forgetAll,
    /** The checks that hold a share of a ticket, and the one that sent it. */
    holdersOf(ticketId: string): Iterable<string> {
      const known = ofOrders.find(ticketId);
      return known === undefined ? holders.all(ticketId) : checksOf(known);
    },
    /** The checks that hold or held a share of a ticket, also of one that cannot be read. */
    holders: (ticketId: string): string[] => holders.all(ticketId),
    /** Whether a ticket was over when it was stored, also one that cannot be read. */
    wasOver: (ticketId: string): boolean => wasOver.get(ticketId) === 1,
    /** Those that are not over, oldest first. */
    open: (): KitchenTicket[] => readAll(open.all()),
    /** The last that were over, newest change first. */
    over: (limit: number): KitchenTicket[] => readAll(over.all(limit)),
    changedSince: (seq: number): KitchenTicket[] => readAll(changedSince.all(seq)),
    /** Those that are not over and were sent before a time (ms since 1970), MOST_OVERDUE at most. */
    overdue: (before: number): KitchenTicket[] => readAll(overdue.all(before)),
    /** The place of the newest change of a ticket in the shared state. */
    newestSeq: (): number => newestSeq.get() ?? 0,

    /** Stores a ticket with the checks that hold shares of it and returns the change; the caller emits it. */
    save(tx: Tx, ticket: KitchenTicket): ChangeOf<"ticket.changed"> {
      const { id: ticketId, posReference } = ticket;
      const seq = tx.nextSeq();
      const sentAt = Date.parse(ticket.sentAt);
      const body = JSON.stringify(ticket);
      const id = insert.get({ ticketId, posReference, seq, isOver: ticket.isOver ? 1 : 0, sentAt, body }) ?? 0;
      const holders = checksOf(ticket);
      for (const holder of holders) link.run({ posReference: holder, ticketId });
      ofOrders.stored(tx, { id, ticket, body }, holders);
      return { kind: "ticket.changed", seq, ticket };
    },
  };
}

interface TicketColumns {
  ticketId: string;
  posReference: string;
  seq: number;
  isOver: 0 | 1;
  sentAt: number;
  body: string;
}
