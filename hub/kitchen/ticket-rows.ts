import type { KitchenTicket } from "@comanda/protocol";
import { parseColumn } from "../db/rows/parse-column.ts";
import type { StoredTicket } from "./ticket-cache.ts";

/** Finished tickets are packed at some point: first alone, then with their check. */
export const BODY = "plain(body, packed) AS body";

export interface TicketRow {
  id: number;
  body: string;
}

/** Reads the ticket of a row. Returns none and calls `onDamage` if it cannot be read. */
export function readTicket({ id, body }: TicketRow, onDamage: (description: string) => void): StoredTicket[] {
  const ticket = parseColumn<KitchenTicket | null>(body, null);
  if (ticket === null) onDamage(`a kitchen ticket cannot be read: ${body.slice(0, 160)}`);
  return ticket === null ? [] : [{ id, ticket, body }];
}
