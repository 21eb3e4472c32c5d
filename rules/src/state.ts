import type { StoredOrder } from "@comanda/protocol";
import type { PlacedTicket } from "./kitchen/kitchen-draft.ts";
import type { CheckOnTable } from "./checks/check-on-table.ts";
import type { Stock } from "./kitchen/item-states.ts";

/** The state that rules read: what is open in the restaurant, as immutable values. */
export interface ServiceState {
  /** Returns a check with its version; null if it never existed or was removed. */
  order(posReference: string): StoredOrder | null;
  /** Returns whether a check was discarded or merged, which is permanent. */
  wasRemoved(posReference: string): boolean;
  /** Returns the active checks on a table, the longest unchanged first. */
  checksOn(tableId: number): readonly CheckOnTable[];
  /** Returns the tickets of which a check holds or held a share. */
  ticketsOf(posReference: string): readonly PlacedTicket[];
  /** Returns the checks that hold shares of a ticket. */
  holdersOf(ticketId: string): Iterable<string>;
  /** Returns the stock of a product that ran out or was limited; null if it never was. */
  stockOf(productId: string): Stock | null;
}
