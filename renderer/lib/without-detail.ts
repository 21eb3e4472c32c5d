/** Of what everybody may read, what those see who have not signed in. */
export function withoutDetail<T extends { detail?: unknown }>(known: T): Omit<T, "detail"> {
  const { detail: _, ...open } = known;
  return open;
}
