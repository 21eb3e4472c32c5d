import type { BackOfficeModifier, BackOfficeProduct } from "@comanda/protocol";
import { choicesOf, openChoice } from "./modifier-choices.ts";

/** How a dish was asked for: what was chosen with it, and its note. */
export interface LastChoice {
  modifierIds: readonly number[];
  note: string;
}

/** By the product's id, the dish that was asked for last at the end. */
export type KeptChoices = readonly (readonly [productId: string, choices: readonly LastChoice[]])[];

const MOST_OF_ONE = 3;
const MOST_DISHES = 100;

/** `kept` with this way of asking for a dish before its others; a plain one is not kept, a tap on the tile is as fast. */
export function withChoice(kept: KeptChoices, productId: string, choice: LastChoice): KeptChoices {
  if (choice.modifierIds.length === 0 && choice.note === "") return kept;
  const same = JSON.stringify(choice);
  const before = kept.find(([id]) => id === productId)?.[1] ?? [];
  const own = [choice, ...before.filter((each) => JSON.stringify(each) !== same)].slice(0, MOST_OF_ONE);
  return [...kept.filter(([id]) => id !== productId), [productId, own] as const].slice(-MOST_DISHES);
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
