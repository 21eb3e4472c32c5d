/** A decoded segment of the address; one that cannot be decoded is used as it is. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
