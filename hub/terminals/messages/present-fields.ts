/** The fields of a message that say something: many programs write null for one that they leave out. */
export function presentFields(message: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));
}
