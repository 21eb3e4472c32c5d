import { EXTERNAL_ORIGIN_PREFIX, type StoredLine, type StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { OrderStore } from "./store/order-store.ts";

type Orders = Pick<OrderStore, "get" | "history" | "namedSince" | "wasLineElsewhere">;

/** The lines of an earlier version of a check that went to others since, whole or in part: those charge for them. */
export function movedLines(orders: Orders, earlier: StoredOrder): ReadonlySet<string> {
  const { posReference } = earlier;
  const later = orders.history(posReference).filter(({ version }) => version > earlier.version);
  // What went with that version itself is no part of it any more.
  const since = later[0]?.at ?? Infinity;
  const names = namesOf(earlier, later);

  /** The line that has come to another check since as `lineId`. Integrations name theirs as they like: that says nothing. */
  function cameTo(other: string, lineId: string): string | undefined {
    const arrival = names.has(lineId) ? arrivalOf(orders, other, lineId) : undefined;
    if (arrival === undefined || arrival.at < since || arrival.origin.startsWith(EXTERNAL_ORIGIN_PREFIX))
      return undefined;
    return names.get(lineId);
  }

  /** The line of which one of another check is a part. */
  function originOf({ splitOf, splitFrom, kitchenLineId = "" }: StoredLine): string | undefined {
    const dish = names.get(kitchenLineId);
    if (dish !== undefined || splitOf === undefined || splitFrom === undefined) return dish;
    return splitFrom === posReference ? names.get(splitOf) : cameTo(splitFrom, splitOf);
  }

  /** Whether a part, or the part it was split off, had gone before that version: it may have moved on since. */
  function hadGone({ id, splitOf = id }: StoredLine): boolean {
    const parts = names.has(splitOf) ? [id] : [id, splitOf];
    return parts.some((lineId) => orders.wasLineElsewhere({ posReference, lineId, before: since }));
  }

  const others = orders.namedSince([...names.keys()], since).filter((other) => other !== posReference);
  const moved = others.flatMap((other) => {
    const charged = orders.get(other)?.snapshot.lines.filter((line) => chargedQuantity(line) > 0) ?? [];
    return charged.flatMap((line) => {
      const whole = cameTo(other, line.id);
      if (whole !== undefined) return [whole];
      const origin = originOf(line);
      return origin === undefined || hadGone(line) ? [] : [origin];
    });
  });
  return new Set(moved);
}

/** The lines by what they, and their parts on their check, went by since: ids of lines, and of their dishes. */
function namesOf({ posReference, snapshot }: StoredOrder, later: readonly { order: StoredOrder }[]) {
  const names = new Map(snapshot.lines.map(({ id }) => [id, id]));
  const lines = [snapshot, ...later.map(({ order }) => order.snapshot)].flatMap((each) => each.lines);
  for (const { id, splitOf = "", splitFrom = posReference, kitchenLineId } of lines) {
    const line = names.get(id) ?? (splitFrom === posReference ? names.get(splitOf) : undefined);
    if (line === undefined) continue;
    names.set(id, line);
    if (kitchenLineId !== undefined && !names.has(kitchenLineId)) names.set(kitchenLineId, line);
  }
  return names;
}

/** The version with which a line came to a check that has it. */
function arrivalOf({ history }: Orders, posReference: string, lineId: string) {
  const versions = history(posReference);
  const has = (index: number): boolean =>
    versions[index]?.order.snapshot.lines.some(({ id }) => id === lineId) === true;
  return versions.findLast((_, index) => has(index) && !has(index - 1));
}
