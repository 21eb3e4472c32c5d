/** Removes the detail for managers from data that everybody may read. */
export function withoutDetail<T extends { detail?: unknown }>(known: T): Omit<T, "detail"> {
  const { detail: _, ...open } = known;
  return open;
}
