interface NamedModifier {
  name: string;
  quantity: number;
  /** The price of one; 0 if unknown. */
  price: number;
}

/** Returns the modifiers of a line for display. Terminals may store anything there, so entries without a name are dropped. */
export function modifiersOf(modifiers: unknown): NamedModifier[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((each: unknown) => {
    const modifier = typeof each === "string" ? { name: each } : (each ?? {});
    const { name, quantity, price } = modifier as { name?: unknown; quantity?: unknown; price?: unknown };
    if (typeof name !== "string" || name === "") return [];
    return [
      { name, quantity: typeof quantity === "number" ? quantity : 1, price: typeof price === "number" ? price : 0 },
    ];
  });
}

/** Returns the modifiers' names, with a count for one chosen several times. */
export function modifierNames(modifiers: unknown): string[] {
  return modifiersOf(modifiers).map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} x ${name}`));
}
