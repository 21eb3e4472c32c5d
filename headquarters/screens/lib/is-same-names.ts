/** Whether two lists have the same names, in whatever order. */
export function isSameNames(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}
