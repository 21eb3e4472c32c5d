import { EXTERNAL_ORIGIN_PREFIX, type StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { OrderStore } from "./store/order-store.ts";

type Orders = Pick<OrderStore, "get" | "listVersions" | "listNamedSince" | "wasLineElsewhere">;

/** Returns ids of lines of an earlier version that have since moved, wholly or in part, to other checks that charge them. */
export function movedLines(orders: Orders, earlier: StoredOrder): ReadonlySet<string> {
  const { posReference } = earlier;
  const later = orders.listVersions(posReference).filter(({ version }) => version > earlier.version);
  // Lines that arrived on other checks before the next version had already left the earlier version.
  const since = later[0]?.writeSeq ?? Infinity;
  const { names, dishes } = namesOf(earlier, later);

  /** Returns the line of the earlier version that a line of another check comes from, through any number of splits. */
  function movedTo(check: string, lineId: string, visited: ReadonlySet<string> = new Set()): string | undefined {
    const arrival = visited.has(`${check} ${lineId}`) ? undefined : arrivalOf(orders, check, lineId);
    if (arrival === undefined || arrival.writeSeq < since) return undefined;
    const name = names.get(lineId);
    // Integrations choose their own line ids, so an equal id proves nothing.
    if (name !== undefined && !arrival.origin.startsWith(EXTERNAL_ORIGIN_PREFIX)) return name;
    const { splitOf, splitFrom = check } = arrival.line;
    // A part that had left before the earlier version may have moved on to other checks since.
    if (splitOf === undefined || orders.wasLineElsewhere({ posReference, lineId, before: since })) return undefined;
    if (splitFrom === posReference) return names.get(splitOf);
    return movedTo(splitFrom, splitOf, new Set([...visited, `${check} ${lineId}`]));
  }

  const others = orders.listNamedSince([...names.keys(), ...dishes], since).filter((other) => other !== posReference);
  const moved = others.flatMap((other) => {
    const charged = orders.get(other)?.snapshot.lines.filter((line) => chargedQuantity(line) > 0) ?? [];
    const candidates = charged.filter(({ id, splitOf }) => names.has(id) || splitOf !== undefined);
    return candidates.flatMap(({ id }) => movedTo(other, id) ?? []);
  });
  return new Set(moved);
}

/**
 * Returns `names`, a map from ids that a line of the earlier version, or a part split off on the same check, had since to
 * that line; and `dishes`, their kitchen line ids, which parts on other checks have, too.
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

/** Returns by which write and origin a line last arrived on a check, and its content then. */
function arrivalOf({ listVersions }: Orders, posReference: string, lineId: string) {
  const versions = listVersions(posReference).map(({ writeSeq, origin, order }) => {
    return { writeSeq, origin, line: order.snapshot.lines.find(({ id }) => id === lineId) };
  });
  const arrival = versions.findLast(({ line }, index) => line !== undefined && versions[index - 1]?.line === undefined);
  return arrival?.line && { ...arrival, line: arrival.line };
}
