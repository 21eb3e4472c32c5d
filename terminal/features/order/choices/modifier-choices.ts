import type { BackOfficeModifier, BackOfficeProduct } from "@comanda/protocol";
import { modifierNames } from "@comanda/rules";

/** A modifier group of a product. The group without a name has the ungrouped modifiers. Its `min` can always be met. */
export interface ModifierChoice {
  name: string | null;
  min: number;
  max: number;
  modifiers: readonly BackOfficeModifier[];
}

/** Returns the modifier groups of a product, required ones first. */
export function choicesOf({ modifiers = [], modifierGroups = [] }: BackOfficeProduct): ModifierChoice[] {
  const groups = modifierGroups.map(({ name, min = 0, max = Infinity, modifierIds }): ModifierChoice => {
    const own = modifiers.filter(({ id }) => modifierIds.includes(id));
    // A menu that requires more modifiers than it offers must not block the order.
    return { name, min: Math.min(min, max, own.length), max, modifiers: own };
  });
  const grouped = new Set(groups.flatMap((group) => group.modifiers));
  const free = modifiers.filter((modifier) => !grouped.has(modifier));
  return [...groups, { name: null, min: 0, max: Infinity, modifiers: free }]
    .filter((group) => group.modifiers.length > 0)
    .toSorted((one, other) => Number(other.min > 0) - Number(one.min > 0));
}

/** Whether the product has modifiers. */
export function hasChoices({ modifiers = [] }: BackOfficeProduct): boolean {
  return modifiers.length > 0;
}

/** Whether the product has a required choice, so that one tap cannot add it. */
export function mustChoose(product: BackOfficeProduct): boolean {
  return choicesOf(product).some(({ min }) => min > 0);
}

/** Returns the text key for how many modifiers may be chosen, or null if there is no limit. */
export function limitOf({ min, max, modifiers }: ModifierChoice) {
  const isOpen = max >= modifiers.length;
  if (min === 0) return isOpen ? null : "chooseUpTo";
  if (min === Math.min(max, modifiers.length)) return "chooseExactly";
  return isOpen ? "chooseAtLeast" : "chooseBetween";
}

/** Returns the first required choice that is not complete, or undefined if all are. */
export function openChoice(
  choices: readonly ModifierChoice[],
  chosen: ReadonlySet<number>,
): ModifierChoice | undefined {
  return choices.find(({ min, modifiers }) => countOf(modifiers, chosen) < min);
}

/** Returns the chosen ids after a tap on a modifier: toggles it, and beyond `max` replaces the first chosen of the group. */
export function withTapped(choice: ModifierChoice, chosen: ReadonlySet<number>, id: number): Set<number> {
  const next = new Set(chosen);
  if (next.delete(id)) return next;
  const [first] = [...chosen].filter((each) => choice.modifiers.some((modifier) => modifier.id === each));
  if (first !== undefined && countOf(choice.modifiers, chosen) >= choice.max) next.delete(first);
  return next.add(id);
}

/**
 * Returns the chosen modifiers. Those that the line had `before` come first, at their old price and count, if they are still
 * chosen or no longer offered.
 */
export function chosenModifiers(
  { modifiers = [] }: BackOfficeProduct,
  chosen: ReadonlySet<number>,
  before: readonly BackOfficeModifier[] = [],
): BackOfficeModifier[] {
  const isOffered = (id: number): boolean => modifiers.some((each) => each.id === id);
  const retained = before.filter(({ id }) => !isOffered(Number(id)) || chosen.has(Number(id)));
  const had = new Set(retained.map(({ id }) => Number(id)));
  return [...retained, ...modifiers.filter(({ id }) => chosen.has(id) && !had.has(id))];
}

/** Returns the name of a modifier, with how often it occurs in `modifiers`. */
export function nameAmong(modifiers: readonly BackOfficeModifier[], { id, name }: BackOfficeModifier): string {
  const chosen = modifiers.find((each) => Number(each.id) === id);
  return modifierNames([{ ...chosen, name }]).join();
}

function countOf(modifiers: readonly BackOfficeModifier[], chosen: ReadonlySet<number>): number {
  return modifiers.filter(({ id }) => chosen.has(id)).length;
}
