import { subtract, sum } from "@comanda/rules";
import { addedLines } from "../../orders/added-lines.ts";
import { withQuantity } from "../../orders/edit-content.ts";
import { differsOnlyInQuantity } from "../../orders/merge-content.ts";
import {
  linesOf,
  plainLine,
  sameLine,
  sameValue,
  type OrderContent,
  type OrderLine,
} from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders, LineLookup } from "./hub-orders.ts";
import { editLines, isCarried, lineIn, type LineEdits } from "./line-edits.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line that others have moved off its check, wholly or in part, and that a change modifies. */
interface MovedLine {
  change: ContentChange;
  line: OrderLine;
  /** The line after the change; undefined if the change removes it. */
  own: OrderLine | undefined;
  /** The rest of the line on its check. */
  there: OrderLine | undefined;
  /** The whole missing quantity was split off, none of it removed. */
  isAllParted: boolean;
}

interface Hub {
  hubOrder: HubOrders;
  elsewhere: LineLookup;
  menu: PricedMenu | null;
}

/**
 * Adapts changes of lines from which others have moved a part to the rest of the line. Added quantities are kept. `asks` has
 * the lines that a person has to decide on, by check.
 */
export function followMoved(
  changes: readonly ContentChange[],
  hub: Hub,
): { changes: readonly ContentChange[]; asks: ReadonlyMap<string, readonly string[]> } {
  const moved = movedLines(changes, hub);
  const asks = Map.groupBy(
    moved.filter((each) => !isOrderedMore(each)),
    ({ change }) => change.posReference,
  );
  return {
    changes: withMoved(changes, moved.filter(isOrderedMore), hub),
    asks: new Map([...asks].map(([posReference, lines]) => [posReference, lines.map(({ line }) => line.id)])),
  };
}

/** Like `followMoved`, but forced by a person: of lines that are gone, only the added quantity is kept. */
export function insistOnMoved(
  changes: readonly ContentChange[],
  hub: Hub & { newId: () => string },
): readonly ContentChange[] {
  return withMoved(changes, movedLines(changes, hub), hub, hub.newId);
}

function movedLines(changes: readonly ContentChange[], { hubOrder, elsewhere }: Hub): MovedLine[] {
  return changes.flatMap((change) => {
    const { posReference, base, next } = change;
    const stored = hubOrder(posReference);
    if (stored === undefined) return [];
    return linesOf(base ?? {}).flatMap((line) => {
      const own = lineIn(next, line.id);
      const onHub = lineIn(stored.snapshot, line.id);
      const there = onHub && plainLine(onHub);
      const remaining = subtract(line.quantity, there?.quantity ?? 0);
      if (remaining <= 0 || (own !== undefined && sameLine(own, line)) || isCarried(line, changes)) return [];
      const { isElsewhere, parted } = elsewhere(posReference, line);
      const isMoved = parted > 0 || (there === undefined && isElsewhere);
      return isMoved ? [{ change, line, own, there, isAllParted: parted >= remaining }] : [];
    });
  });
}

function isOrderedMore({ line, own, there, isAllParted }: MovedLine): boolean {
  if (!isAllParted || own === undefined || there === undefined) return false;
  return own.quantity > line.quantity && differsOnlyInQuantity(own, line) && there.voided === line.voided;
}

function withMoved(
  changes: readonly ContentChange[],
  moved: readonly MovedLine[],
  { menu }: Hub,
  newId = () => "",
): readonly ContentChange[] {
  if (moved.length === 0) return changes;
  const edits: LineEdits = new Map();
  for (const { change, line, own, there } of moved) {
    edits.set(line, there ?? null);
    if (own === undefined) continue;
    if (there === undefined) {
      const [more] = addedLines([line], [own]);
      edits.set(own, more === undefined ? null : { ...more, id: newId() });
      continue;
    }
    edits.set(own, onRemainder({ line, own, there }, { content: change.next, menu }));
  }
  return editLines(changes, edits);
}

/** Applies a change to the rest of a line: the same difference in quantity and voided quantity, and the same fields. */
function onRemainder(
  { line, own, there }: Record<"line" | "own" | "there", OrderLine>,
  by: { content: OrderContent; menu: PricedMenu | null },
): OrderLine | null {
  const after = (field: "quantity" | "voidedQuantity"): number =>
    Math.max(0, sum([there[field] ?? 0, own[field] ?? 0, -(line[field] ?? 0)]));
  const [quantity, voided] = [after("quantity"), after("voidedQuantity")];
  if (quantity === 0) return null;
  const changedFields = new Set([...Object.keys(line), ...Object.keys(own)]);
  // An added quantity is not voided just because others voided the rest.
  const isAgain = own.quantity > line.quantity && own.voided !== there.voided;
  for (const field of changedFields)
    if (measures.has(field) || sameValue(own[field], line[field])) changedFields.delete(field);
  // The changed fields may affect the price.
  const priced = differsOnlyInQuantity(own, line) ? [] : [...measures];
  const fields = [...changedFields, ...priced].map((field) => [field, own[field]]);
  const whole = { ...there, ...(Object.fromEntries(fields) as Partial<OrderLine>) };
  const isVoid = voided >= quantity;
  const remainder = withQuantity(whole, quantity, { ...by, voidedQuantity: isVoid ? 0 : voided });
  return isVoid || isAgain ? { ...remainder, voided: isVoid } : remainder;
}

/** Fields that depend on the quantity of a line. */
const measures: ReadonlySet<string> = new Set(["quantity", "voidedQuantity", "total", "taxAmount", "taxIds"]);
