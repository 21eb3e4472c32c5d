/**
 * The names of a line's modifiers; one that was chosen several times says how often. What a terminal has put there is not
 * checked: taken is what has a name, or is one.
 */
export function modifierNames(modifiers: unknown): string[] {
  if (!Array.isArray(modifiers)) return [];
  return modifiers.flatMap((each: unknown) => {
    const known = typeof each === "string" ? { name: each } : (each ?? {});
    const { name, quantity = 1 } = known as { name?: unknown; quantity?: unknown };
    if (typeof name !== "string" || name === "") return [];
    return typeof quantity === "number" && quantity !== 1 ? `${quantity} x ${name}` : name;
  });
}
