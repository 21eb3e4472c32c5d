/**
 * Returns the new index of the result that the user moved to, which stays selected. Null if the user has not moved, or if the
 * result is no longer listed. `selected` is its old index. The library marks the element itself.
 */
export function movedIndex(results: Iterable<Pick<Element, "hasAttribute">>, selected: number): number | null {
  const place = [...results].findIndex((result) => result.hasAttribute("data-selected"));
  return selected < 1 || place === -1 ? null : place;
}
