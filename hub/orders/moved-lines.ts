import { EXTERNAL_ORIGIN_PREFIX, type StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { OrderStore } from "./store/order-store.ts";

type Orders = Pick<OrderStore, "get" | "history" | "namedSince">;

/** The lines of an earlier version of a check that went to others since, whole or in part: those charge for them. */
export function movedLines(orders: Orders, earlier: StoredOrder): ReadonlySet<string> {
  const { posReference, snapshot } = earlier;
  const ids = new Set(snapshot.lines.map(({ id }) => id));
  // What went with that version itself is no part of it any more.
  const since = orders.history(posReference).find(({ version }) => version > earlier.version)?.at ?? Infinity;
  const others = orders.namedSince([...ids], since).filter((other) => other !== posReference);
  return new Set(
    others.flatMap((other) => {
      const charged = orders.get(other)?.snapshot.lines.filter((line) => chargedQuantity(line) > 0) ?? [];
      return charged.flatMap(({ id, splitOf, splitFrom }) => {
        const isPart = splitOf !== undefined && splitFrom === posReference;
        const arrival = isPart || ids.has(id) ? arrivalOf(orders, other, id) : undefined;
        if (arrival === undefined || arrival.at < since) return [];
        if (isPart) return [splitOf];
        // Integrations name their lines as they like: the same name says nothing.
        return arrival.origin.startsWith(EXTERNAL_ORIGIN_PREFIX) ? [] : [id];
      });
    }),
  );
}

/** The version with which a line came to a check that has it. */
function arrivalOf({ history }: Orders, posReference: string, lineId: string) {
  const versions = history(posReference);
  const has = (index: number): boolean =>
    versions[index]?.order.snapshot.lines.some(({ id }) => id === lineId) === true;
  return versions.findLast((_, index) => has(index) && !has(index - 1));
}
