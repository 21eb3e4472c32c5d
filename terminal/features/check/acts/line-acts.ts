import type { StoredLine } from "@comanda/protocol";
import { chargedQuantity, proportionOf, subtract, sum } from "@comanda/rules";
import {
  changeQuantity,
  linesOf,
  removeLine,
  splitLine,
  voidLine,
  withLines,
  type OrderContent,
  type OrderLine,
  type PricedMenu,
} from "@comanda/terminal";

/** The part of a line that an act is about, at most the charged quantity. */
export interface ChosenLine {
  line: StoredLine;
  quantity: number;
}

export function hasBeenSent({ sentQuantity = 0 }: StoredLine): boolean {
  return sentQuantity > 0;
}

/** Whether the kitchen has yet to make a part of a line. */
export function isBeingMade({ sentQuantity = 0, preparedQuantity = 0, ...line }: StoredLine): boolean {
  return hasBeenSent({ sentQuantity, ...line }) && preparedQuantity < Math.min(sentQuantity, chargedQuantity(line));
}

/** Returns the price of the chosen part of a line, in the currency of the check. */
export function costOf({ line, quantity }: ChosenLine): number {
  const counted = chargedQuantity(line);
  return counted === 0 ? 0 : proportionOf(line.total ?? 0, quantity, counted);
}

/** Takes the chosen lines off the check: removes what was never sent, voids what was, with the reason. */
export function withoutLines(
  content: OrderContent,
  chosen: readonly ChosenLine[],
  reason: string,
  menu: PricedMenu | null,
): OrderContent {
  return chosen.reduce((rest, each) => {
    const { line } = each;
    const { now, quantity } = countedNow(rest, each);
    if (now === undefined) return rest;
    if (hasBeenSent(line)) {
      const voided = sum([now.voidedQuantity ?? 0, quantity]);
      return voidLine(rest, line.id, { quantity: voided, reason });
    }
    const remaining = subtract(now.quantity, quantity);
    return remaining <= 0 ? removeLine(rest, line.id) : changeQuantity(rest, line.id, remaining, menu);
  }, content);
}

/**
 * Comps the chosen lines: they stay on the check and are not charged. A part of a line, or the rest of a partly voided one,
 * becomes a line of its own, with the id from `idOf`.
 */
export function giveAway(
  content: OrderContent,
  chosen: readonly ChosenLine[],
  reason: string,
  idOf: (lineId: string) => string,
): OrderContent {
  return chosen.reduce((rest, each) => {
    const { line } = each;
    const { now, quantity } = countedNow(rest, each);
    if (now === undefined) return rest;
    if (quantity >= now.quantity) return voidLine(rest, line.id, { reason, comp: true });
    const id = idOf(line.id);
    return voidLine(splitLine(rest, line.id, quantity, id), id, { reason, comp: true });
  }, content);
}

/**
 * Gives the kitchen another note and allergy for the chosen part of a line. A part, or the rest of a partly voided line, becomes
 * a line of its own, with the id `newId`.
 */
export function rewordLine(
  content: OrderContent,
  chosen: ChosenLine,
  words: { note: string; allergy: string },
  newId: string,
): OrderContent {
  const { now, quantity } = countedNow(content, chosen);
  if (now === undefined) return content;
  const id = quantity < now.quantity ? newId : now.id;
  const split = splitLine(content, now.id, quantity, newId);
  const [note, allergy] = [words.note.trim() || null, words.allergy.trim() || null];
  return withLines(
    split,
    linesOf(split).map((line) => (line.id === id ? { ...line, note, allergy } : line)),
  );
}

/**
 * Returns the current state of a chosen line, and how much of the chosen quantity is still charged: it may have changed
 * elsewhere while the act was chosen or approved. `now` is undefined if nothing is charged any more.
 */
function countedNow(
  content: OrderContent,
  { line: { id }, quantity }: ChosenLine,
): { now: OrderLine | undefined; quantity: number } {
  const now = linesOf(content).find((line) => line.id === id);
  const counted = now === undefined ? 0 : Math.min(quantity, chargedQuantity(now));
  return { now: counted > 0 ? now : undefined, quantity: counted };
}

/** Returns the charges added since `before`, which a person who decides about the whole check must see. */
export function addedSince(before: readonly StoredLine[], now: readonly StoredLine[]): ChosenLine[] {
  const quantities = new Map(before.map((line) => [line.id, chargedQuantity(line)]));
  return now
    .map((line) => ({ line, quantity: subtract(chargedQuantity(line), quantities.get(line.id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Returns the chosen lines as the library moves them: whole lines have no quantity. */
export function partsOf(chosen: readonly ChosenLine[]): { lineId: string; quantity?: number }[] {
  return chosen.map(({ line, quantity }) =>
    quantity >= chargedQuantity(line) ? { lineId: line.id } : { lineId: line.id, quantity },
  );
}

/** Whether nothing charged stays on the check when the chosen lines are taken away. */
export function isAll(lines: readonly StoredLine[], chosen: readonly ChosenLine[]): boolean {
  const going = new Map(chosen.map(({ line, quantity }) => [line.id, quantity]));
  return lines.every((line) => (going.get(line.id) ?? 0) >= chargedQuantity(line));
}
