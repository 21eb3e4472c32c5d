import type { KitchenTicket } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { BODY, type TicketRow } from "./ticket-rows.ts";
import type { StoredTicket } from "./ticket-cache.ts";

/** How many unfinished tickets are read at once. */
export const MAX_OVERDUE = 100;

/** How many finished tickets can be listed. These are not packed with their checks. */
export const MAX_OVER = 100;

/** Lists the kitchen's open, finished and changed tickets, for screens and SYNCs. */
export function createTicketLists(db: Db, read: (row: TicketRow) => StoredTicket[]) {
  const listOpen = db.prepare<[], TicketRow>(
    "SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 ORDER BY id",
  );
  const listOver = db.prepare<[number], TicketRow>(
    `SELECT id, ${BODY} FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT ?`,
  );
  const listOpenIds = db
    .prepare<[], number>("SELECT id FROM tickets INDEXED BY ticket_open WHERE is_over = 0 ORDER BY id")
    .pluck();
  const lastOver = db.prepare<[], { id: number; sentAt: number }>(
    `SELECT id, sent_at AS sentAt FROM tickets WHERE is_over = 1 ORDER BY seq DESC LIMIT ${MAX_OVER}`,
  );
  const listChangedIds = db.prepare<[number], number>("SELECT id FROM tickets WHERE seq > ? ORDER BY seq").pluck();
  const countOpen = db
    .prepare<[number], number>(
      "SELECT count(*) FROM (SELECT 1 FROM tickets INDEXED BY ticket_open WHERE is_over = 0 LIMIT ?)",
    )
    .pluck();
  const countChanged = db
    .prepare<[number, number], number>("SELECT count(*) FROM (SELECT 1 FROM tickets WHERE seq > ? LIMIT ?)")
    .pluck();
  const selectOne = db.prepare<[number], TicketRow>(`SELECT id, ${BODY} FROM tickets WHERE id = ?`);
  const listOverdue = db.prepare<[number], TicketRow>(
    `SELECT id, body FROM tickets INDEXED BY ticket_open WHERE is_over = 0 AND sent_at < ? LIMIT ${MAX_OVERDUE}`,
  );
  const newestSeq = db.prepare<[], number | null>("SELECT max(seq) FROM tickets").pluck();
  const readAll = (rows: readonly TicketRow[]): KitchenTicket[] => rows.flatMap(read).map(({ ticket }) => ticket);

  return {
    /** Returns open tickets, oldest first. */
    listOpen: (): KitchenTicket[] => readAll(listOpen.all()),
    /** Returns the last finished tickets, newest change first; MAX_OVER at most. */
    listOver: (limit: number): KitchenTicket[] => readAll(listOver.all(limit)),
    /** Returns the ids of open tickets, oldest first. */
    listOpenIds: (): number[] => listOpenIds.all(),
    /**
     * Returns the ids of tickets changed after `seq`, oldest change first. No `delta` goes back to a ticket packed with its
     * check.
     */
    listChangedIds: (seq: number): number[] => listChangedIds.all(seq),
    /** Returns up to MAX_OVER ids of tickets finished last and sent since a time (ms since 1970), oldest change first. */
    listOverIds: (sentSince: number): number[] =>
      lastOver
        .all()
        .flatMap(({ id, sentAt }) => (sentAt >= sentSince ? [id] : []))
        .reverse(),
    /** Counts the tickets of each kind, up to `limit`. */
    countOpen: (limit: number): number => countOpen.get(limit) ?? 0,
    countChanged: (seq: number, limit: number): number => countChanged.get(seq, limit) ?? 0,
    /** Returns a ticket serialized, for a SYNC; empty if it cannot be read. */
    wire(id: number): string[] {
      const row = selectOne.get(id);
      return row === undefined ? [] : read(row).map(({ body }) => body);
    },
    /** Like `wire` for a finished ticket. Empty if paper settled it: a ticket that no person marked cannot be recalled. */
    wireOver(id: number): string[] {
      const row = selectOne.get(id);
      return row === undefined ? [] : read(row).flatMap(({ ticket, body }) => (ticket.onPaper === true ? [] : body));
    },
    /** Returns open tickets sent before a time (ms since 1970), MAX_OVERDUE at most. */
    listOverdue: (before: number): KitchenTicket[] => readAll(listOverdue.all(before)),
    /** Returns the highest `seq` of a ticket change. */
    newestSeq: (): number => newestSeq.get() ?? 0,
  };
}
