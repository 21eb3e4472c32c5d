interface NamedModifier {
  name: string;
  quantity: number;
  /** Of one of them; 0 where it has none. */
  price: number;
}

/**
 * The modifiers of a line as they are told. What a terminal has put there is not checked: taken is what has a name, or is
 * one.
 */
export function modifiersOf(modifiers: unknown): NamedModifier[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((each: unknown) => {
    const known = typeof each === "string" ? { name: each } : (each ?? {});
    const { name, quantity, price } = known as { name?: unknown; quantity?: unknown; price?: unknown };
    if (typeof name !== "string" || name === "") return [];
    return [
      { name, quantity: typeof quantity === "number" ? quantity : 1, price: typeof price === "number" ? price : 0 },
    ];
  });
}

/** Their names; one that was chosen several times says how often. */
export function modifierNames(modifiers: unknown): string[] {
  return modifiersOf(modifiers).map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} x ${name}`));
}
