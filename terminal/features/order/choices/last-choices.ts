import type { BackOfficeModifier, BackOfficeProduct } from "@comanda/protocol";
import { choicesOf, openChoice } from "./modifier-choices.ts";

/** One way a dish was ordered: its modifiers and its note. */
export interface LastChoice {
  modifierIds: readonly number[];
  note: string;
}

const MAX_PER_PRODUCT = 3;

/** Returns `before` with this choice moved or added to the front. */
export function withChoice(before: readonly LastChoice[], choice: LastChoice): readonly LastChoice[] {
  const same = JSON.stringify(choice);
  return [choice, ...before.filter((each) => JSON.stringify(each) !== same)].slice(0, MAX_PER_PRODUCT);
}

/** Returns the previous choices that can still be ordered: their modifiers are on the menu, the required choices complete. */
export function availableChoices(
  product: BackOfficeProduct,
  choices: readonly LastChoice[],
): { modifiers: readonly BackOfficeModifier[]; note: string }[] {
  return choices.flatMap(({ modifierIds, note }) => {
    const modifiers = (product.modifiers ?? []).filter(({ id }) => modifierIds.includes(id));
    const isWhole = modifiers.length === modifierIds.length;
    return isWhole && openChoice(choicesOf(product), new Set(modifierIds)) === undefined ? [{ modifiers, note }] : [];
  });
}
