import type { Adjustment, OrderType } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { joinLines, splitInTwo, withLines } from "../../orders/edit-content.ts";
import { isAlike } from "../../orders/merge-content.ts";
import {
  linesOf,
  plainLine,
  sameContent,
  sameLine,
  sameValue,
  type OrderContent,
  type OrderLine,
} from "../../orders/order-content.ts";
import { roundingsOf } from "../../orders/round-order.ts";
import { repriceLine, type PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders } from "./hub-orders.ts";
import { editLines, lineIn, withOwn, type LineEdits } from "./line-edits.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line that a change brings to one of its checks, and the line that it is, or that it is a part of, or that comes back in it. */
interface Carried {
  line: OrderLine;
  into: ContentChange;
  from: ContentChange;
  origin: OrderLine;
}

/**
 * Changes that move, part or bring together lines, as they are to be made now that others may have moved, parted, changed or
 * removed the same lines: what is carried is taken from what the check has by now. Nothing is there twice, and what is gone
 * is not carried. Null where nothing is left to be done, or a check would be made without the lines that it was to get.
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

/** As `changesByNow`, whatever is left. */
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

/** What was taken off or put on checks that are merged goes along as it is by now. */
function withAdjustments(changes: readonly ContentChange[], hubOrder: HubOrders): readonly ContentChange[] {
  const [into, ...others] = changes.filter(({ next }) => linesOf(next).length > 0);
  if (into === undefined || others.length > 0) return changes;
  const asked = adjustmentsOf(into.next);
  let carried = asked;
  const followed = changes.map((change) => {
    const { posReference, base } = change;
    const stored = hubOrder(posReference);
    if (change === into || base === null || stored === undefined) return change;
    const [before, now] = [adjustmentsOf(base), adjustmentsOf(stored.snapshot)];
    // Each once: another check may bring the same discount.
    const own = [...carried];
    const isCarried = before.every((each) => {
      const index = own.findIndex((one) => sameValue(one, each));
      return index !== -1 && own.splice(index, 1);
    });
    if (sameValue(before, now) || !isCarried) return change;
    carried = [...own, ...now];
    return { ...change, base: adjusted(base, now) };
  });
  if (carried === asked) return changes;
  return followed.map((change) => (change === into ? { ...into, next: adjusted(into.next, carried) } : change));
}

/** Without the rounding of the whole, which follows from its lines. */
function adjustmentsOf({ adjustments = [] }: OrderContent): Adjustment[] {
  return adjustments.filter(({ kind }) => kind !== "rounding");
}

function adjusted(content: OrderContent, adjustments: readonly Adjustment[]): OrderContent {
  return withLines({ ...content, adjustments: [...adjustments, ...roundingsOf(content)] }, linesOf(content));
}

export function isNewAndEmpty({ base, next }: ContentChange): boolean {
  return base === null && linesOf(next).length === 0;
}

/** First what stays of a parted line, or was there of one in which parts come together. */
function withStay(parts: readonly Carried[]): readonly Carried[] {
  return parts.flatMap((part, index) => {
    const { line, into, from, origin } = part;
    if (index > 0) return [part];
    const [stays, own] = [lineIn(from.next, origin.id), lineIn(into.base, line.id)];
    if (stays !== undefined) return [{ line: stays, into: from, from, origin }, part];
    return own === undefined ? [part] : [{ line, into, from: into, origin: own }, part];
  });
}

/** One line that goes elsewhere or is parted, or one in which several come together. */
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
  const isKnown = parts.every(({ from }) => hubOrder(from.posReference) !== undefined);
  const isAsBefore = [...origins].every(([origin, there]) => sameLine(there, origin));
  if (!isKnown || isAsBefore || quantityOf(origins.keys()) !== quantityOf(lines.keys())) return;
  const arrived = [...lines].flatMap(([line, into]) =>
    lineIn(into.base, line.id) === undefined ? [{ line, there: onHub(into, line) }] : [],
  );
  if (arrived.some(({ there }) => there !== undefined)) {
    // The hub has carried this very change out, or somebody else has brought the line there: as much as there was of it by then.
    if (arrived.every(({ line, there }) => sameLine(there, line))) return;
    for (const { line, there } of arrived) edits.set(line, there ?? null);
    return;
  }

  const [main, ...others] = [...origins].flatMap(([origin, there]) => (there === undefined ? [] : [{ origin, there }]));
  const isJoin = origins.size > 1;
  // What somebody has said of a part would be lost: a person decides.
  if (isJoin && main?.there.voided !== main?.origin.voided) return;
  if (!others.every(({ origin, there }) => isAlike(there, origin))) return;
  for (const [origin, there] of origins) edits.set(origin, there ?? null);
  let rest = main && others.reduce((whole, { there }) => joinLines(whole, there), main.there);
  // What is over goes where it stays.
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

/** Parts that leave their checks for the line that they were taken from. */
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
    // Under its own id it has left another check; under a new one it names the line that it is a part of.
    const from =
      changes.find(
        (change) => lineIn(change.base, line.id) !== undefined && lineIn(change.next, line.id) === undefined,
      ) ?? changes.find(({ posReference }) => posReference === splitFrom);
    const origin = lineIn(from?.base, line.id) ?? lineIn(from?.base, splitOf);
    return from === undefined || origin === undefined ? [] : [{ line, into, from, origin }];
  });
}
