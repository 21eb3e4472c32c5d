import type { BackOfficeModifier, BackOfficeProduct } from "@comanda/protocol";
import { modifierNames } from "@comanda/rules";

/** A choice that a product offers; without a name it is the one of all that belongs to none. Its `min` can be met. */
export interface ModifierChoice {
  name: string | null;
  min: number;
  max: number;
  modifiers: readonly BackOfficeModifier[];
}

/** The choices of a product, those that must be made first. */
export function choicesOf({ modifiers = [], modifierGroups = [] }: BackOfficeProduct): ModifierChoice[] {
  const groups = modifierGroups.map(({ name, min = 0, max = Infinity, modifierIds }): ModifierChoice => {
    const own = modifiers.filter(({ id }) => modifierIds.includes(id));
    // A menu that asks for more than it offers must not keep the dish from being ordered.
    return { name, min: Math.min(min, max, own.length), max, modifiers: own };
  });
  const grouped = new Set(groups.flatMap((group) => group.modifiers));
  const free = modifiers.filter((modifier) => !grouped.has(modifier));
  return [...groups, { name: null, min: 0, max: Infinity, modifiers: free }]
    .filter((group) => group.modifiers.length > 0)
    .toSorted((one, other) => Number(other.min > 0) - Number(one.min > 0));
}

/** Whether anything can be chosen of it. */
export function hasChoices({ modifiers = [] }: BackOfficeProduct): boolean {
  return modifiers.length > 0;
}

/** Whether a tap cannot simply add it. */
export function mustChoose(product: BackOfficeProduct): boolean {
  return choicesOf(product).some(({ min }) => min > 0);
}

/** What is said of how many may be chosen, as the texts name it; null: as many as one likes. */
export function limitOf({ min, max, modifiers }: ModifierChoice) {
  const isOpen = max >= modifiers.length;
  if (min === 0) return isOpen ? null : "chooseUpTo";
  if (min === Math.min(max, modifiers.length)) return "chooseExactly";
  return isOpen ? "chooseAtLeast" : "chooseBetween";
}

/** The first choice that still lacks something; undefined when all are made. */
export function openChoice(
  choices: readonly ModifierChoice[],
  chosen: ReadonlySet<number>,
): ModifierChoice | undefined {
  return choices.find(({ min, modifiers }) => countOf(modifiers, chosen) < min);
}

/** The chosen ids after a tap on a modifier: again takes it off; beyond `max` it takes the place of the first one. */
export function withTapped(choice: ModifierChoice, chosen: ReadonlySet<number>, id: number): Set<number> {
  const next = new Set(chosen);
  if (next.delete(id)) return next;
  const [first] = [...chosen].filter((each) => choice.modifiers.some((modifier) => modifier.id === each));
  if (first !== undefined && countOf(choice.modifiers, chosen) >= choice.max) next.delete(first);
  return next.add(id);
}

/**
 * What is chosen: of what the line had `before`, at its price and as often as it had it, all that is still chosen or no longer
 * offered; then what is new.
 */
export function chosenModifiers(
  { modifiers = [] }: BackOfficeProduct,
  chosen: ReadonlySet<number>,
  before: readonly BackOfficeModifier[] = [],
): BackOfficeModifier[] {
  const isOffered = (id: number): boolean => modifiers.some((each) => each.id === id);
  const kept = before.filter(({ id }) => !isOffered(Number(id)) || chosen.has(Number(id)));
  const had = new Set(kept.map(({ id }) => Number(id)));
  return [...kept, ...modifiers.filter(({ id }) => chosen.has(id) && !had.has(id))];
}

/** What a modifier is called, with how often it is among these. */
export function nameAmong(modifiers: readonly BackOfficeModifier[], { id, name }: BackOfficeModifier): string {
  const chosen = modifiers.find((each) => Number(each.id) === id);
  return modifierNames([{ ...chosen, name }]).join();
}

function countOf(modifiers: readonly BackOfficeModifier[], chosen: ReadonlySet<number>): number {
  return modifiers.filter(({ id }) => chosen.has(id)).length;
}
