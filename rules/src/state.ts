import type { StoredOrder } from "@comanda/protocol";
import type { PlacedTicket } from "./kitchen/kitchen-draft.ts";
import type { CheckOnTable } from "./checks/check-on-table.ts";
import type { Stock } from "./kitchen/item-states.ts";

/** What a rule may look at: what is open in the restaurant, as values that are never changed. */
export interface ServiceState {
  /** A check with its version; null when it never was, or is gone. */
  order(posReference: string): StoredOrder | null;
  /** Whether a check was discarded or merged: it never comes back. */
  wasRemoved(posReference: string): boolean;
  /** The active checks on a table, the longest unchanged first. */
  checksOn(tableId: number): readonly CheckOnTable[];
  /** The tickets of which a check holds or held a share. */
  ticketsOf(posReference: string): readonly PlacedTicket[];
  /** The checks that hold shares of a ticket. */
  holdersOf(ticketId: string): Iterable<string>;
  /** What is known of a product that ran out at some time; null for one that never did. */
  stockOf(productId: string): Stock | null;
}
