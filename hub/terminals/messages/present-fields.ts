/** Returns the fields of a message without nulls: many programs write null for an omitted field. */
export function presentFields(message: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));
}
