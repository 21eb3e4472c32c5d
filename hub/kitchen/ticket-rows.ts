import type { KitchenTicket } from "@comanda/protocol";
import { parseColumn } from "../db/rows/parse-column.ts";
import type { StoredTicket } from "./tickets-of-orders.ts";

/** What is over is packed some day: first by itself, then with its check. */
export const BODY = "plain(body, packed) AS body";

export interface TicketRow {
  id: number;
  body: string;
}

/** The ticket of a row; none where it cannot be read, for which `onDamage` is called. */
export function readTicket({ id, body }: TicketRow, onDamage: (what: string) => void): StoredTicket[] {
  const ticket = parseColumn<KitchenTicket | null>(body, null);
  if (ticket === null) onDamage(`a kitchen ticket cannot be read: ${body.slice(0, 160)}`);
  return ticket === null ? [] : [{ id, ticket, body }];
}
