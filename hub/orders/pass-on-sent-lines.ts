import type { StoredLine, TerminalLine } from "@comanda/protocol";
import { subtract } from "../money.ts";

/** The lines of one order of a batch: as stored, and as the terminal wants them (undefined: as they are). */
export interface BatchLines {
  stored: readonly StoredLine[];
  given: readonly TerminalLine[] | undefined;
}

/**
 * Which order holds what the kitchen has, once a batch has moved lines between its orders: a split check keeps its
 * dishes, wherever the line has gone, whole or in part. Answers the stored lines of each order with what is sent and
 * prepared handed over; what the batch leaves out altogether stays where it was, for the guard to refuse.
 */
export function passOnSentLines(orders: readonly BatchLines[]): StoredLine[][] {
  const held = orders.map(({ stored }) => [...stored]);
  for (const [owner, { stored }] of orders.entries()) {
    for (const line of stored) {
      const isElsewhere = orders.some(
        (order, index) => index !== owner && order.stored.some(({ id }) => id === line.id),
      );
      if (line.kitchenSentAt === undefined || isElsewhere) continue;
      const shares = shareOut(line, owner, orders);
      if (shares === null) continue;
      for (const [index, lines] of held.entries()) {
        const share = shares.get(index);
        held[index] = [...lines.filter(({ id }) => id !== line.id), ...(share === undefined ? [] : [share])];
      }
    }
  }
  return held;
}

/** What each order gets of a sent line, its owner first; null when the line has not left its order. */
function shareOut(line: StoredLine, owner: number, orders: readonly BatchLines[]): Map<number, StoredLine> | null {
  const takers = orders
    .map((order, index) => ({ index, wanted: (order.given ?? order.stored).find(({ id }) => id === line.id) }))
    .filter((taker) => taker.wanted !== undefined)
    .toSorted((one, other) => Number(other.index === owner) - Number(one.index === owner));
  if (takers.every(({ index }) => index === owner)) return null;
  let sent = line.sentQuantity ?? 0;
  let prepared = line.preparedQuantity ?? 0;
  const shares = new Map<number, StoredLine>();
  for (const [turn, { index, wanted }] of takers.entries()) {
    const isLast = turn === takers.length - 1;
    const share = isLast ? sent : Math.min(sent, wanted?.quantity ?? 0);
    const ready = Math.min(prepared, share);
    if (share > 0) shares.set(index, { ...line, sentQuantity: share, preparedQuantity: ready });
    sent = subtract(sent, share);
    prepared = subtract(prepared, ready);
  }
  return shares;
}
