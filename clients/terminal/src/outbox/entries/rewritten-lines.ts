import { sum } from "@comanda/rules";
import { withQuantity } from "../../orders/edit-content.ts";
import { differsOnlyInQuantity } from "../../orders/merge-content.ts";
import { linesOf, sameLine, type OrderContent, type OrderLine } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { editLines, isCarried, lineIn, type LineEdits } from "./line-edits.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line as a change of this device showed it, and as it was sent after merging with others' changes. */
export interface RewrittenLine {
  posReference: string;
  shown: OrderLine;
  sent: OrderLine;
}

/** Returns the changed lines that were sent differently than shown. */
export function rewrittenLines(
  changes: readonly ContentChange[],
  writes: readonly { posReference: string; snapshot: OrderContent }[],
): RewrittenLine[] {
  return changes.flatMap(({ posReference, base, next }) => {
    const write = writes.find((each) => each.posReference === posReference);
    return linesOf(next).flatMap((shown) => {
      const sent = lineIn(write?.snapshot, shown.id);
      const isAsShown = sent === undefined || sameLine(sent, shown);
      return isAsShown || sameLine(lineIn(base, shown.id), shown) ? [] : [{ posReference, shown, sent }];
    });
  });
}

/**
 * Adapts later changes of such lines to what was sent: their quantities shift by the difference between sent and shown. Lines
 * that a change removes, voids, moves or splits stay unchanged: moves and splits are based on what the check has
 * (`changesByNow`), and a person decides about lines that others voided. `left` are the rewritten lines that still matter for
 * changes queued after these.
 */
export function followRewritten(
  changes: readonly ContentChange[],
  rewritten: readonly RewrittenLine[],
  menu: PricedMenu | null,
): { changes: readonly ContentChange[]; left: readonly RewrittenLine[] } {
  let followed = changes;
  const left = rewritten.filter(({ posReference, shown, sent }) => {
    const change = followed.find((each) => each.posReference === posReference);
    const was = lineIn(change?.base, shown.id);
    if (change === undefined || was === undefined) return true;
    const own = lineIn(change.next, was.id);
    const isVoidNow = own?.voided !== was.voided || sent.voided !== shown.voided;
    if (own === undefined || isVoidNow || isCarried(was, followed)) return false;
    // If this change also modified other fields, its lines keep them, and they are compared with the hub's later.
    const isOurs = differsOnlyInQuantity(was, shown) && differsOnlyInQuantity(own, was);
    const edits: LineEdits = new Map();
    for (const line of [was, own]) {
      const quantity = sum([line.quantity, sent.quantity, -shown.quantity]);
      const now = isOurs ? sent : line;
      edits.set(line, quantity <= 0 ? null : withQuantity(now, quantity, { content: change.next, menu }));
    }
    followed = editLines(followed, edits);
    return edits.get(own) !== null;
  });
  return { changes: followed, left };
}
