/**
 * Returns whether two pieces of plain data are equal, ignoring the order of fields. Values for which `isNothing` is true count
 * as absent; by default these are the undefined ones.
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

/** Reads own properties only, because a field may be named `constructor`. */
function valueOf(value: object, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field as keyof typeof value] : undefined;
}
