import type { OrderType } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { splitInTwo, withLines } from "../../orders/edit-content.ts";
import {
  linesOf,
  plainLine,
  sameContent,
  sameLine,
  sameValue,
  type OrderContent,
  type OrderLine,
} from "../../orders/order-content.ts";
import { repriceLine, type PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders } from "./hub-orders.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line that a change brings to one of its checks, and the line that it is, or that it is a part of. */
interface Carried {
  line: OrderLine;
  into: ContentChange;
  from: ContentChange;
  origin: OrderLine;
}

/** Another form of lines; null takes one out. */
type LineEdits = Map<OrderLine, OrderLine | null>;

/**
 * Changes that move or part lines, as they are to be made now that others may have moved, parted, changed or removed the same
 * lines: what is carried is taken from what the check has by now. Nothing is there twice, and what is gone is not carried.
 */
export function followCarried(
  changes: readonly ContentChange[],
  hubOrder: HubOrders,
  menu: PricedMenu | null,
): readonly ContentChange[] {
  const carried = changes.flatMap((into) => carriedInto(into, changes));
  const edits: LineEdits = new Map();
  for (const parts of Map.groupBy(carried, ({ origin }) => origin).values())
    followOne(parts, { hubOrder, menu, edits });
  if (edits.size === 0) return changes;
  return changes.map((change) => {
    const { base, next } = change;
    return { ...change, base: base === null ? null : edited(base, edits), next: edited(next, edits) };
  });
}

/** Whether nothing is left to be done, or a check would be made without the lines that it was to get. */
export function isLeftEmpty(changes: readonly ContentChange[]): boolean {
  const isNewAndEmpty = ({ base, next }: ContentChange): boolean => base === null && linesOf(next).length === 0;
  return changes.some(isNewAndEmpty) || changes.every(({ base, next }) => base !== null && sameContent(base, next));
}

function followOne(
  parts: readonly Carried[],
  { hubOrder, menu, edits }: { hubOrder: HubOrders; menu: PricedMenu | null; edits: LineEdits },
): void {
  const hubLine = (posReference: string, lineId: string) => lineIn(hubOrder(posReference)?.snapshot, lineId);
  const [first] = parts;
  if (first === undefined || hubOrder(first.from.posReference) === undefined) return;
  const { from, origin } = first;
  const present = hubLine(from.posReference, origin.id);
  const there = present === undefined ? null : plainLine(present);
  if (there !== null && sameLine(there, origin)) return;
  // The hub has carried this very change out.
  if (parts.some(({ into, line }) => hubLine(into.posReference, line.id) !== undefined)) return;
  const stays = lineIn(from.next, origin.id);
  const divided = there === null ? { rest: null, goes: [] } : divide(there, { parts, stays });
  if (divided === null) return;
  for (const [index, part] of parts.entries()) {
    const now = divided.goes[index] ?? null;
    edits.set(part.line, now && arriving(now, part, menu));
  }
  // The check itself has it as it is there by now, less what goes.
  edits.set(origin, there);
  if (stays !== undefined) edits.set(stays, divided.rest);
}

/** What stays of a line as it is now, and what of it goes; a part that it no longer has does not. Null: a person decides. */
function divide(
  there: OrderLine,
  { parts, stays }: { parts: readonly Carried[]; stays: OrderLine | undefined },
): { rest: OrderLine | null; goes: (OrderLine | null)[] } | null {
  if (stays === undefined) return parts.length === 1 ? { rest: null, goes: [there] } : null;
  const whole = sum([stays, ...parts.map(({ line }) => line)].map(({ quantity }) => quantity));
  if (parts[0]?.origin.quantity !== whole) return null;
  let rest: OrderLine | null = there;
  const goes = parts.map(({ line: { quantity } }): OrderLine | null => {
    if (rest === null || quantity > rest.quantity) return null;
    const [left, part]: [OrderLine | null, OrderLine] =
      quantity === rest.quantity ? [null, rest] : splitInTwo(rest, quantity);
    rest = left;
    return part;
  });
  return { rest, goes };
}

/** The line as it is now, with what the change itself says of it otherwise. */
function arriving(now: OrderLine, { line, into, from, origin }: Carried, menu: PricedMenu | null): OrderLine {
  const own = Object.entries(line).filter(([field, value]) => !amounts.has(field) && !sameValue(value, origin[field]));
  const arrived: OrderLine = { ...now, ...Object.fromEntries(own) };
  const orderType = orderTypeOf(into);
  return menu === null || orderType === orderTypeOf(from) ? arrived : repriceLine(arrived, orderType, menu);
}

const amounts: ReadonlySet<string> = new Set([
  "quantity",
  "voidedQuantity",
  "unitPrice",
  "total",
  "taxAmount",
  "taxIds",
  "discount",
]);

function orderTypeOf({ next: { orderType = "dine_in" } }: ContentChange): OrderType {
  return orderType;
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

function lineIn<T extends { id: string }>(
  content: { lines?: readonly T[] | undefined } | null | undefined,
  lineId: string | undefined,
): T | undefined {
  return content?.lines?.find(({ id }) => id === lineId);
}

function edited(content: OrderContent, edits: LineEdits): OrderContent {
  const lines = linesOf(content).flatMap((line) => {
    const edit = edits.get(line);
    return edit === undefined ? [line] : (edit ?? []);
  });
  return withLines(content, lines);
}
