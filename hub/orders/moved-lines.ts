import { EXTERNAL_ORIGIN_PREFIX, type StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { OrderStore } from "./store/order-store.ts";

type Orders = Pick<OrderStore, "get" | "history" | "namedSince" | "wasLineElsewhere">;

/** The lines of an earlier version of a check that went to others since, whole or in part: those charge for them. */
export function movedLines(orders: Orders, earlier: StoredOrder): ReadonlySet<string> {
  const { posReference } = earlier;
  const later = orders.history(posReference).filter(({ version }) => version > earlier.version);
  // What went with that version itself is no part of it any more.
  const since = later[0]?.at ?? Infinity;
  const { names, dishes } = namesOf(earlier, later);

  /** Which of the lines another check has with this line of its own, by what it was split off on its way. */
  function movedTo(check: string, lineId: string, asked: ReadonlySet<string> = new Set()): string | undefined {
    const arrival = asked.has(`${check} ${lineId}`) ? undefined : arrivalOf(orders, check, lineId);
    if (arrival === undefined || arrival.at < since) return undefined;
    const known = names.get(lineId);
    // Integrations name their lines as they like: the same name says nothing.
    if (known !== undefined && !arrival.origin.startsWith(EXTERNAL_ORIGIN_PREFIX)) return known;
    const { splitOf, splitFrom = check } = arrival.line;
    // A part that had gone before may have moved on from check to check since.
    if (splitOf === undefined || orders.wasLineElsewhere({ posReference, lineId, before: since })) return undefined;
    if (splitFrom === posReference) return names.get(splitOf);
    return movedTo(splitFrom, splitOf, new Set([...asked, `${check} ${lineId}`]));
  }

  const others = orders.namedSince([...names.keys(), ...dishes], since).filter((other) => other !== posReference);
  const moved = others.flatMap((other) => {
    const charged = orders.get(other)?.snapshot.lines.filter((line) => chargedQuantity(line) > 0) ?? [];
    const mayBeOurs = charged.filter(({ id, splitOf }) => names.has(id) || splitOf !== undefined);
    return mayBeOurs.flatMap(({ id }) => movedTo(other, id) ?? []);
  });
  return new Set(moved);
}

/**
 * The lines by the ids that they, and what was split off them on their check, had since; and the dishes of which those are,
 * which parts of them have on other checks, too.
 */
function namesOf({ posReference, snapshot }: StoredOrder, later: readonly { order: StoredOrder }[]) {
  const names = new Map(snapshot.lines.map(({ id }) => [id, id]));
  const dishes = new Set<string>();
  const lines = [snapshot, ...later.map(({ order }) => order.snapshot)].flatMap((each) => each.lines);
  for (const { id, splitOf = "", splitFrom = posReference, kitchenLineId } of lines) {
    const line = names.get(id) ?? (splitFrom === posReference ? names.get(splitOf) : undefined);
    if (line === undefined) continue;
    names.set(id, line);
    if (kitchenLineId !== undefined) dishes.add(kitchenLineId);
  }
  return { names, dishes };
}

/** When, by whom and as what a line came to a check that has, or had, it. */
function arrivalOf({ history }: Orders, posReference: string, lineId: string) {
  const versions = history(posReference).map(({ at, origin, order }) => {
    return { at, origin, line: order.snapshot.lines.find(({ id }) => id === lineId) };
  });
  const arrival = versions.findLast(({ line }, index) => line !== undefined && versions[index - 1]?.line === undefined);
  return arrival?.line && { ...arrival, line: arrival.line };
}
