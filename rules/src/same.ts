/**
 * Whether two pieces of plain data say the same, whatever the order of their fields; what is `isNothing` is as if it were not
 * there: by default one that is undefined.
 */
export function isSame(one: unknown, other: unknown, isNothing: (value: unknown) => boolean = isUndefined): boolean {
  if (one === other) return true;
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other);
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (lengthOf(one) !== lengthOf(other)) return false;
  return (
    Object.keys(one).every((field) => isSame(valueOf(one, field), valueOf(other, field), isNothing)) &&
    Object.keys(other).every((field) => Object.hasOwn(one, field) || isNothing(valueOf(other, field)))
  );
}

function isUndefined(value: unknown): boolean {
  return value === undefined;
}

function lengthOf(value: object): number | null {
  return Array.isArray(value) ? value.length : null;
}

/** Only its own: `constructor` is a field like any other. */
function valueOf(value: object, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field as keyof typeof value] : undefined;
}
