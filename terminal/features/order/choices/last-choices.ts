import type { BackOfficeModifier, BackOfficeProduct } from "@comanda/protocol";
import { choicesOf, openChoice } from "./modifier-choices.ts";

/** How a dish was asked for: what was chosen with it, and its note. */
export interface LastChoice {
  modifierIds: readonly number[];
  note: string;
}

const MOST_OF_ONE = 3;

/** `before` with this way of asking for the dish as the first. */
export function withChoice(before: readonly LastChoice[], choice: LastChoice): readonly LastChoice[] {
  const same = JSON.stringify(choice);
  return [choice, ...before.filter((each) => JSON.stringify(each) !== same)].slice(0, MOST_OF_ONE);
}

/** What of it can still be asked for: every modifier is on the menu, and every choice that must be made is made. */
export function choicesLeft(
  product: BackOfficeProduct,
  choices: readonly LastChoice[],
): { modifiers: readonly BackOfficeModifier[]; note: string }[] {
  return choices.flatMap(({ modifierIds, note }) => {
    const modifiers = (product.modifiers ?? []).filter(({ id }) => modifierIds.includes(id));
    const isWhole = modifiers.length === modifierIds.length;
    return isWhole && openChoice(choicesOf(product), new Set(modifierIds)) === undefined ? [{ modifiers, note }] : [];
  });
}
