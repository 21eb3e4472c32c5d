import type { StoredOrder } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { OrderLine } from "../../orders/order-content.ts";

export type HubOrders = (posReference: string) => StoredOrder | undefined;

/**
 * Whether a check's line stands elsewhere on the hub, as itself or still in the line that it was to be a part of, and how much
 * was parted from it.
 */
export type LookElsewhere = (posReference: string, line: OrderLine) => { isElsewhere: boolean; parted: number };

/** A whole line keeps its id on another check; a part names the line, and the check that it was on. */
export function lookElsewhere(orders: () => Iterable<StoredOrder>): LookElsewhere {
  return (posReference, { id: lineId, productId, splitOf: whole }) => {
    const known = new Set([...orders()].map((order) => order.posReference));
    // What was parted on a check that was merged into this one names the one that is gone.
    const isFromHere = (from: string): boolean => from === posReference || !known.has(from);
    let isElsewhere = false;
    const parts: number[] = [];
    for (const { posReference: at, snapshot } of orders()) {
      for (const { id, splitOf, splitFrom = at, quantity, ...line } of snapshot.lines) {
        if (splitOf === lineId && isFromHere(splitFrom)) parts.push(quantity);
        // Other systems' lines may have the same id as another dish.
        const isIt = id === lineId ? at !== posReference : id === whole;
        isElsewhere ||= isIt && line.productId === productId;
      }
    }
    return { isElsewhere, parted: sum(parts) };
  };
}
