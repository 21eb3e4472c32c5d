import type { Adjustment, OrderType } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { joinLines, splitInTwo, withLines } from "../../orders/edit-content.ts";
import { differsOnlyInQuantity } from "../../orders/merge-content.ts";
import {
  linesOf,
  plainLine,
  sameContent,
  sameLine,
  sameValue,
  type OrderContent,
  type OrderLine,
} from "../../orders/order-content.ts";
import { roundingsOf, unroundedOf } from "../../orders/round-order.ts";
import { repriceLine, type PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders } from "./hub-orders.ts";
import { editLines, lineIn, withOwn, type LineEdits } from "./line-edits.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line that a change brings to a check. `origin`: the same line, the line it was split from, or a part returning to it. */
interface Carried {
  line: OrderLine;
  into: ContentChange;
  from: ContentChange;
  origin: OrderLine;
}

/**
 * Adapts changes that move, split or join lines to the hub's current lines, which others may have moved, split, changed or
 * removed. No line is duplicated, and missing ones are not moved. Returns null if nothing is left to do, or if a new check
 * would lack its lines.
 */
export function changesByNow(
  changes: readonly ContentChange[],
  hubOrder: HubOrders,
  menu: PricedMenu | null,
): readonly ContentChange[] | null {
  const followed = followCarried(changes, hubOrder, menu);
  if (followed === changes) return changes;
  const isIdle = followed.every(({ base, next }) => base !== null && sameContent(base, next));
  return isIdle || followed.some(isNewAndEmpty) ? null : followed;
}

/** Like `changesByNow`, but returns the changes even if nothing is left to do. */
export function followCarried(
  changes: readonly ContentChange[],
  hubOrder: HubOrders,
  menu: PricedMenu | null,
): readonly ContentChange[] {
  const edits: LineEdits = new Map();
  const returned = changes.flatMap((from) => returnedFrom(from, changes));
  const joined = new Set(returned.map(({ line }) => line));
  const carried = [...changes.flatMap((into) => carriedInto(into, changes)), ...returned];
  for (const parts of Map.groupBy(carried, ({ line, origin }) => (joined.has(line) ? line : origin)).values()) {
    follow(withStay(parts), { hubOrder, menu, edits });
  }
  return withAdjustments(edits.size === 0 ? changes : editLines(changes, edits), hubOrder);
}

/** Carries the current adjustments of merged checks along, instead of those that were shown. */
function withAdjustments(changes: readonly ContentChange[], hubOrder: HubOrders): readonly ContentChange[] {
  const [into, ...others] = changes.filter(({ next }) => linesOf(next).length > 0);
  if (into === undefined || others.length > 0) return changes;
  const requested = unroundedOf(into.next);
  let carried = requested;
  const followed = changes.map((change) => {
    const { posReference, base } = change;
    const stored = hubOrder(posReference);
    if (change === into || base === null || stored === undefined) return change;
    const [before, now] = [unroundedOf(base), unroundedOf(stored.snapshot)];
    // Matched one by one: another check may bring the same discount.
    const own = [...carried];
    const isCarried = before.every((each) => {
      const index = own.findIndex((one) => sameValue(one, each));
      return index !== -1 && own.splice(index, 1);
    });
    if (sameValue(before, now) || !isCarried) return change;
    carried = [...own, ...now];
    return { ...change, base: adjusted(base, now) };
  });
  if (carried === requested) return changes;
  return followed.map((change) => (change === into ? { ...into, next: adjusted(into.next, carried) } : change));
}

function adjusted(content: OrderContent, adjustments: readonly Adjustment[]): OrderContent {
  return withLines({ ...content, adjustments: [...adjustments, ...roundingsOf(content)] }, linesOf(content));
}

export function isNewAndEmpty({ base, next }: ContentChange): boolean {
  return base === null && linesOf(next).length === 0;
}

/** Puts the remaining part of a split line first, or the existing part of a line in which parts are joined. */
function withStay(parts: readonly Carried[]): readonly Carried[] {
  return parts.flatMap((part, index) => {
    const { line, into, from, origin } = part;
    if (index > 0) return [part];
    const [stays, own] = [lineIn(from.next, origin.id), lineIn(into.base, line.id)];
    if (stays !== undefined) return [{ line: stays, into: from, from, origin }, part];
    return own === undefined ? [part] : [{ line, into, from: into, origin: own }, part];
  });
}

/** Adapts one line that is moved or split, or one in which several are joined. */
function follow(
  parts: readonly Carried[],
  { hubOrder, menu, edits }: { hubOrder: HubOrders; menu: PricedMenu | null; edits: LineEdits },
): void {
  const onHub = ({ posReference }: ContentChange, { id }: OrderLine): OrderLine | undefined => {
    const line = lineIn(hubOrder(posReference)?.snapshot, id);
    return line && plainLine(line);
  };
  const origins = new Map(parts.map(({ from, origin }) => [origin, onHub(from, origin)]));
  const lines = new Map(parts.map(({ line, into }) => [line, into]));
  const areAllOnHub = parts.every(({ from }) => hubOrder(from.posReference) !== undefined);
  const isAsBefore = [...origins].every(([origin, there]) => sameLine(there, origin));
  if (!areAllOnHub || isAsBefore || quantityOf(origins.keys()) !== quantityOf(lines.keys())) return;
  const arrived = [...lines].flatMap(([line, into]) =>
    lineIn(into.base, line.id) === undefined ? [{ line, there: onHub(into, line) }] : [],
  );
  if (arrived.some(({ there }) => there !== undefined)) {
    // The hub already executed this change, or another writer moved the line there: use what is there.
    if (arrived.every(({ line, there }) => sameLine(there, line))) return;
    for (const { line, there } of arrived) edits.set(line, there ?? null);
    return;
  }

  const [main, ...others] = [...origins].flatMap(([origin, there]) => (there === undefined ? [] : [{ origin, there }]));
  const isJoin = origins.size > 1;
  // Joining would lose whether a part was voided, so a person decides.
  if (isJoin && main?.there.voided !== main?.origin.voided) return;
  if (!others.every(({ origin, there }) => differsOnlyInQuantity(there, origin))) return;
  for (const [origin, there] of origins) edits.set(origin, there ?? null);
  let rest = main && others.reduce((whole, { there }) => joinLines(whole, there), main.there);
  // From the last to the first: the remainder stays with the first.
  for (const [line, into] of [...lines].toReversed()) {
    const isLast = line === parts[0]?.line;
    const [over, now]: (OrderLine | undefined)[] =
      rest === undefined || isLast || line.quantity >= rest.quantity
        ? [undefined, rest]
        : splitInTwo(rest, line.quantity);
    rest = over;
    if (now === undefined || main === undefined) edits.set(line, null);
    else {
      const arrived = withOwn(now, isJoin ? { ...line, id: main.origin.id } : line, main.origin);
      const isRetyped = parts.some((part) => part.line === line && orderTypeOf(part.from) !== orderTypeOf(into));
      edits.set(line, isRetyped && menu !== null ? repriceLine(arrived, orderTypeOf(into), menu) : arrived);
    }
  }
}

function quantityOf(lines: Iterable<OrderLine>): number {
  return sum([...lines].map(({ quantity }) => quantity));
}

function orderTypeOf({ next: { orderType = "dine_in" } }: ContentChange): OrderType {
  return orderType;
}

/** Finds parts that leave their checks and return to the line that they were split from. */
function returnedFrom(from: ContentChange, changes: readonly ContentChange[]): Carried[] {
  return linesOf(from.base ?? {}).flatMap((origin) => {
    if (origin.splitOf === undefined || changes.some(({ next }) => lineIn(next, origin.id) !== undefined)) return [];
    return changes.flatMap((into) => {
      const line = lineIn(into.next, origin.splitOf);
      return line === undefined ? [] : [{ line, into, from, origin }];
    });
  });
}

function carriedInto(into: ContentChange, changes: readonly ContentChange[]): Carried[] {
  const { base, next } = into;
  return linesOf(next).flatMap((line) => {
    if (lineIn(base, line.id) !== undefined) return [];
    const { splitOf, splitFrom = into.posReference } = line;
    // A line with its own id has left another check; one with a new id names the line that it was split from.
    const from =
      changes.find(
        (change) => lineIn(change.base, line.id) !== undefined && lineIn(change.next, line.id) === undefined,
      ) ?? changes.find(({ posReference }) => posReference === splitFrom);
    const origin = lineIn(from?.base, line.id) ?? lineIn(from?.base, splitOf);
    return from === undefined || origin === undefined ? [] : [{ line, into, from, origin }];
  });
}
