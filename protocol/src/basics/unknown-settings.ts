/**
 * Returns a warning for each variable that has a known prefix but is not a setting. Such a variable is ignored and probably
 * mistyped, so the warning suggests the most similar setting.
 */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  knownNames: readonly string[],
): string[] {
  const prefixes = new Set(knownNames.map(prefixOf));
  return Object.keys(environment)
    .filter((name) => prefixes.has(prefixOf(name)) && !knownNames.includes(name))
    .map((name) => {
      const [nearest] = knownNames.toSorted((one, other) => likeness(other, name) - likeness(one, name));
      return `${name} is no setting and is ignored: is ${nearest} meant?`;
    });
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf("_") + 1);
}

/** Returns how similar two names are, from 0 to 1, by their longest common subsequence. */
function likeness(one: string, other: string): number {
  const none = Array.from({ length: other.length + 1 }, () => 0);
  const common = Array.from(one).reduce((before, character) => {
    let left = 0;
    return before.map((above, at) => {
      left = other[at - 1] === character ? (before[at - 1] ?? 0) + 1 : Math.max(above, left);
      return left;
    });
  }, none);
  return (2 * (common.at(-1) ?? 0)) / (one.length + other.length);
}
