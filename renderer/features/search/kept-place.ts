/**
 * Where the result now stands that somebody has gone on to from the first one: that stays selected. Null where nobody has,
 * or it is listed no more. `selected` is its place when it was selected; the library marks the element itself.
 */
export function keptPlace(results: Iterable<Pick<Element, "hasAttribute">>, selected: number): number | null {
  const place = [...results].findIndex((result) => result.hasAttribute("data-selected"));
  return selected < 1 || place === -1 ? null : place;
}
