/** Removes the detail for managers from data that everybody may read. */
export function withoutDetail<T extends { detail?: unknown }>(data: T): Omit<T, "detail"> {
  const { detail: _, ...open } = data;
  return open;
}
