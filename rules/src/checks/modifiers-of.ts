/** The names of a line's modifiers; one that was chosen several times says how often. */
export function modifierNames(modifiers: unknown): string[] {
  return modifiersOf(modifiers).map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} x ${name}`));
}

/** The modifiers of a line by name. What a terminal has put there is not checked: taken is what has a name, or is one. */
export function modifiersOf(modifiers: unknown): { name: string; quantity: number }[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((each: unknown) => {
    const known = typeof each === "string" ? { name: each } : (each ?? {});
    const { name, quantity } = known as { name?: unknown; quantity?: unknown };
    return typeof name === "string" && name !== ""
      ? [{ name, quantity: typeof quantity === "number" ? quantity : 1 }]
      : [];
  });
}
