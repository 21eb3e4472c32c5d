/** Parses an address, or returns null if it is invalid. Replaces `URL.parse`, which some of the pages' browsers lack. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
