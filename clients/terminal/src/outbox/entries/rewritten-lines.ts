import { sum } from "@comanda/rules";
import { withQuantity } from "../../orders/edit-content.ts";
import { isAlike } from "../../orders/merge-content.ts";
import { linesOf, sameLine, type OrderContent, type OrderLine } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { editLines, isCarried, lineIn, type LineEdits } from "./line-edits.ts";
import type { ContentChange } from "./outbox-entry.ts";

/** A line as a change of this device showed it, and as the hub got it: on what others had made of it by then. */
export interface RewrittenLine {
  posReference: string;
  shown: OrderLine;
  sent: OrderLine;
}

/** The lines that these changes made otherwise than they showed. What they did not touch is no part of them. */
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
 * Later changes of such lines, as they are to be made on what the hub got: what they order more or less of a line, or say of it,
 * is theirs, and how much of it there is follows. `left` are the lines that still differ for what was changed after them: what
 * moves or parts a line is made on what its check has (`changesByNow`), and tells anew what became of it. Taken off, or void,
 * is what was seen and no more, and of what others have made void a person decides.
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
    // What both have said of it otherwise stays theirs and ours, and is compared.
    const isOurs = isAlike(was, shown) && isAlike(own, was);
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
