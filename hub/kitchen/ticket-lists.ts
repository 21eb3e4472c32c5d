import type { KitchenTicket } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { BODY, type TicketRow } from "./ticket-rows.ts";
import type { StoredTicket } from "./tickets-of-orders.ts";

/** How many tickets that nobody finished are read at once. */
export const MOST_OVERDUE = 100;

/** How many of those that are over can be listed: so many are not packed with their checks. */
export const MOST_OVER = 100;

/** The tickets that the kitchen works on, those that are over, and what changed: for screens and SYNCs. */
export function createTicketLists(db: Db, read: (row: TicketRow) => StoredTicket[]) {
  const open = db.prepare<[], TicketRow>(
    "SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 ORDER BY id",
  );
  const over = db.prepare<[number], TicketRow>(
    `SELECT id, ${BODY} FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT ?`,
  );
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
  const byId = db.prepare<[number], TicketRow>(`SELECT id, ${BODY} FROM tickets WHERE id = ?`);
  const overdue = db.prepare<[number], TicketRow>(
    `SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 AND sent_at < ? LIMIT ${MOST_OVERDUE}`,
  );
  const newestSeq = db.prepare<[], number | null>("SELECT max(seq) FROM tickets").pluck();
  const readAll = (rows: readonly TicketRow[]): KitchenTicket[] => rows.flatMap(read).map(({ ticket }) => ticket);

  return {
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
  };
}
