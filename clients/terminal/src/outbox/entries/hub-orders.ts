import type { StoredOrder } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { OrderLine } from "../../orders/order-content.ts";

export type HubOrders = (posReference: string) => StoredOrder | undefined;

/**
 * Finds whether a check's line, or the line that it was to be split from, is on another check, and what quantity was split
 * off.
 */
export type LineLookup = (posReference: string, line: OrderLine) => { isElsewhere: boolean; parted: number };

/** Creates the lookup. A whole line keeps its id on another check; a part names the line and its former check. */
export function createLineLookup(orders: () => Iterable<StoredOrder>): LineLookup {
  return (posReference, { id: lineId, productId, splitOf: whole }) => {
    const ownOrders = new Set([...orders()].map((order) => order.posReference));
    // A part may name a check that was merged into this one and no longer exists.
    const isFromHere = (from: string): boolean => from === posReference || !ownOrders.has(from);
    let isElsewhere = false;
    const parts: number[] = [];
    for (const { posReference: at, snapshot } of orders()) {
      for (const { id, splitOf, splitFrom = at, quantity, ...line } of snapshot.lines) {
        if (splitOf === lineId && isFromHere(splitFrom)) parts.push(quantity);
        // Lines of other systems may share their id with another dish.
        const isIt = id === lineId ? at !== posReference : id === whole;
        isElsewhere ||= isIt && line.productId === productId;
      }
    }
    return { isElsewhere, parted: sum(parts) };
  };
}
