import { subtract, sum } from "@comanda/rules";
import { addedLines } from "../../orders/added-lines.ts";
import { withQuantity } from "../../orders/edit-content.ts";
import { isAlike } from "../../orders/merge-content.ts";
import {
  linesOf,
  plainLine,
  sameLine,
  sameValue,
  type OrderContent,
  type OrderLine,
} from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders, LookElsewhere } from "./hub-orders.ts";
import { editLines, isCarried, lineIn, type LineEdits } from "./line-edits.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line that others have moved off its check, the whole or a part of it, as a change made it of the line that it was. */
interface MovedLine {
  change: ContentChange;
  line: OrderLine;
  /** Undefined where the change takes it off. */
  own: OrderLine | undefined;
  /** What is left of it on its check. */
  there: OrderLine | undefined;
  /** Others have not lowered it, too. */
  isAllParted: boolean;
}

interface Hub {
  hubOrder: HubOrders;
  elsewhere: LookElsewhere;
  menu: PricedMenu | null;
}

/**
 * Changes of lines of which others have moved a part meanwhile, as they are to be made on what is left: what was ordered more
 * is. `asks` has the lines about which a person decides, by their check.
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

/** The same where a person insists: of what has left altogether nothing comes but what was ordered more of it. */
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
      const left = subtract(line.quantity, there?.quantity ?? 0);
      if (left <= 0 || (own !== undefined && sameLine(own, line)) || isCarried(line, changes)) return [];
      const { isElsewhere, parted } = elsewhere(posReference, line);
      const isMoved = parted > 0 || (there === undefined && isElsewhere);
      return isMoved ? [{ change, line, own, there, isAllParted: parted >= left }] : [];
    });
  });
}

function isOrderedMore({ line, own, there, isAllParted }: MovedLine): boolean {
  if (!isAllParted || own === undefined || there === undefined) return false;
  return own.quantity > line.quantity && isAlike(own, line) && there.voided === line.voided;
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
    edits.set(own, onWhatIsLeft({ line, own, there }, { content: change.next, menu }));
  }
  return editLines(changes, edits);
}

/** What is left of a line, with what a change made otherwise of the line that it was: as much more, less or void, too. */
function onWhatIsLeft(
  { line, own, there }: Record<"line" | "own" | "there", OrderLine>,
  by: { content: OrderContent; menu: PricedMenu | null },
): OrderLine | null {
  const after = (field: "quantity" | "voidedQuantity"): number =>
    Math.max(0, sum([there[field] ?? 0, own[field] ?? 0, -(line[field] ?? 0)]));
  const [quantity, voided] = [after("quantity"), after("voidedQuantity")];
  if (quantity === 0) return null;
  const said = new Set([...Object.keys(line), ...Object.keys(own)]);
  // What was ordered more is not void because others have made void what is left.
  const isAgain = own.quantity > line.quantity && own.voided !== there.voided;
  for (const field of said) if (measures.has(field) || sameValue(own[field], line[field])) said.delete(field);
  // What was said of it may be what it costs.
  const priced = isAlike(own, line) ? [] : [...measures];
  const fields = [...said, ...priced].map((field) => [field, own[field]]);
  const whole = { ...there, ...(Object.fromEntries(fields) as Partial<OrderLine>) };
  const isVoid = voided >= quantity;
  const left = withQuantity(whole, quantity, { ...by, voidedQuantity: isVoid ? 0 : voided });
  return isVoid || isAgain ? { ...left, voided: isVoid } : left;
}

/** What follows from how much of a line there is. */
const measures: ReadonlySet<string> = new Set(["quantity", "voidedQuantity", "total", "taxAmount", "taxIds"]);
