import type { Db } from "../db/open.ts";

export type TicketStore = ReturnType<typeof createTicketStore>;

/** Which order each kitchen ticket belongs to. */
export function createTicketStore(db: Db) {
  const owner = db.prepare<[string], string>("SELECT pos_reference FROM kitchen_tickets WHERE ticket_id = ?").pluck();
  const insert = db.prepare<[string, string]>("INSERT INTO kitchen_tickets (ticket_id, pos_reference) VALUES (?, ?)");
  return {
    /** The reference of the ticket's order, or null. */
    ownerOf: (ticketId: string): string | null => owner.get(ticketId) ?? null,
    save: (ticketId: string, posReference: string): void => void insert.run(ticketId, posReference),
  };
}
