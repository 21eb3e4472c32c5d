/** The modifiers of a line by name. What a terminal has put there is not checked: taken is what has a name, or is one. */
export function modifiersOf(modifiers: unknown): { name: string; quantity: number }[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((each: unknown) => {
    if (typeof each === "string") return [{ name: each, quantity: 1 }];
    const { name, quantity } = (each ?? {}) as { name?: unknown; quantity?: unknown };
    return typeof name === "string" ? [{ name, quantity: typeof quantity === "number" ? quantity : 1 }] : [];
  });
}
