import type { StoredOrder } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { ticketKey, unpackEarlier } from "../db/rows/pack.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import type { StoredTicket, TicketsOfOrder } from "./ticket-cache.ts";

/** Plain body of a version of a check, and its pack. */
interface PackRow {
  body: string;
  earlier: Buffer;
}

/** A check whose pack contains a ticket. `stored` is null if the pack is damaged. */
interface Holder {
  posReference: string;
  stored: StoredTicket | null;
}

/** Reads tickets packed with their checks. `read` makes a ticket of its id and JSON, or nothing if it cannot be read. */
export function createPackedTickets(
  db: Db,
  read: (row: { id: number; body: string }) => StoredTicket[],
  onDamage: (description: string) => void,
) {
  const packedWith = db.prepare<[number], PackRow & { posReference: string }>(`
    SELECT v.pos_reference AS posReference, plain(body, packed) AS body, earlier
    FROM packed_tickets p JOIN order_versions v ON v.id = p.version_id WHERE p.ticket_key = ? AND earlier IS NOT NULL`);
  const places = new Map<string, number>();

  function inPack({ earlier, body }: PackRow): TicketsOfOrder {
    try {
      const packed = unpackEarlier(earlier, body).tickets;
      for (const { ticketId, place } of packed) places.set(ticketId, place);
      return { tickets: packed.flatMap((each) => read({ id: each.place, body: each.body })), unreadable: [] };
    } catch {
      onDamage("kitchen tickets that are packed with their check cannot be read");
      const lines = parseColumn<StoredOrder | null>(body, null)?.snapshot.lines ?? [];
      const named = lines.flatMap(({ kitchenTicketId }) => kitchenTicketId ?? []);
      return { tickets: [], unreadable: [...new Set(named)] };
    }
  }

  return {
    /** Returns the tickets in a pack. For a damaged pack, `unreadable` lists those that the check's lines name. */
    inPack,
    /** Returns the checks that have a copy of a ticket. */
    find: (ticketId: string): Holder[] =>
      packedWith.all(ticketKey(ticketId)).flatMap(({ posReference, ...row }) => {
        const { tickets, unreadable } = inPack(row);
        const stored = tickets.find(({ ticket }) => ticket.id === ticketId) ?? null;
        return stored !== null || unreadable.includes(ticketId) ? [{ posReference, stored }] : [];
      }),
    /** Returns the former row id of a ticket read from a pack, reused when the ticket changes; else null. */
    placeOf: (ticketId: string): number | null => places.get(ticketId) ?? null,
    forgetPlaces: (): void => places.clear(),
  };
}
