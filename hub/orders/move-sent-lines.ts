import type { StoredLine, TerminalLine } from "@comanda/protocol";
import { subtract } from "../platform/money.ts";

/** The lines of one order of a batch: as stored, and as the terminal wants them (undefined: as they are). */
export interface BatchLines {
  stored: readonly StoredLine[];
  requested: readonly TerminalLine[] | undefined;
}

/**
 * Which order holds what the kitchen has, once a batch has moved lines between its orders: a split check keeps its
 * dishes, wherever the line has gone, whole or in part. Returns the stored lines of each order, with sent and prepared
 * quantities moved along; a line that no order of the batch keeps stays where it was, for the guard to refuse.
 */
export function moveSentLines(orders: readonly BatchLines[]): StoredLine[][] {
  const storedLines = Map.groupBy(
    orders.flatMap(({ stored }) => stored),
    ({ id }) => id,
  );
  const takersOf = Map.groupBy(
    orders.flatMap(({ stored, requested }, index) =>
      (requested ?? stored).map(({ id, quantity }) => ({ id, index, quantity })),
    ),
    ({ id }) => id,
  );
  const left = new Set<string>();
  const arrived = orders.map((): StoredLine[] => []);
  for (const [owner, { stored }] of orders.entries()) {
    for (const line of stored) {
      const { id } = line;
      const takers = takersOf.get(id) ?? [];
      const hasLeft = takers.some(({ index }) => index !== owner);
      // An id that several orders use already names several lines.
      if (line.kitchenSentAt === undefined || !hasLeft || storedLines.get(id)?.length !== 1) continue;
      left.add(id);
      for (const { index, share } of shareOut(line, owner, takers)) arrived[index]?.push(share);
    }
  }
  return orders.map(({ stored }, index) => [...stored.filter(({ id }) => !left.has(id)), ...(arrived[index] ?? [])]);
}

/** An order that wants a line, or a part of it; its place in the batch. */
interface Taker {
  index: number;
  quantity: number;
}

/** What each order gets of a sent line, its owner first. */
function shareOut(line: StoredLine, owner: number, takers: readonly Taker[]): { index: number; share: StoredLine }[] {
  const inTurn = takers.toSorted((one, other) => Number(other.index === owner) - Number(one.index === owner));
  let sent = line.sentQuantity ?? 0;
  let prepared = line.preparedQuantity ?? 0;
  const shares: { index: number; share: StoredLine }[] = [];
  for (const [turn, { index, quantity }] of inTurn.entries()) {
    const isLast = turn === inTurn.length - 1;
    const sentQuantity = isLast ? sent : Math.min(sent, quantity);
    const preparedQuantity = Math.min(prepared, sentQuantity);
    if (sentQuantity > 0) shares.push({ index, share: { ...line, sentQuantity, preparedQuantity } });
    sent = subtract(sent, sentQuantity);
    prepared = subtract(prepared, preparedQuantity);
  }
  return shares;
}
