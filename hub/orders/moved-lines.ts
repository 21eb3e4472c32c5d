import { EXTERNAL_ORIGIN_PREFIX, type StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { OrderStore } from "./store/order-store.ts";

type Orders = Pick<OrderStore, "get" | "history" | "namedSince">;

/** The lines of an earlier version of a check that others have now, whole or in part: those charge for them. */
export function movedLines(orders: Orders, { posReference, snapshot }: StoredOrder): ReadonlySet<string> {
  const ids = new Set(snapshot.lines.map(({ id }) => id));
  const since = Date.parse(snapshot.updatedAt);
  const others = orders.namedSince([...ids], since).filter((other) => other !== posReference);
  return new Set(
    others.flatMap((other) => {
      const charged = orders.get(other)?.snapshot.lines.filter((line) => chargedQuantity(line) > 0) ?? [];
      return charged.flatMap(({ id, splitOf, splitFrom }) => {
        if (splitOf !== undefined && splitFrom === posReference) return [splitOf];
        return ids.has(id) && hasCome(orders, other, id, since) ? [id] : [];
      });
    }),
  );
}

/** Whether a line came to a check since then. Integrations name their lines as they like: the same name says nothing. */
function hasCome({ history }: Orders, posReference: string, lineId: string, since: number): boolean {
  const versions = history(posReference);
  const has = (index: number): boolean =>
    versions[index]?.order.snapshot.lines.some(({ id }) => id === lineId) === true;
  const arrival = versions.findLast((_, index) => has(index) && !has(index - 1));
  return arrival !== undefined && arrival.at >= since && !arrival.origin.startsWith(EXTERNAL_ORIGIN_PREFIX);
}
