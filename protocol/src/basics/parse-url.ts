/** An address in its parts, and null for what is none, as `URL.parse` answers: the pages run in browsers that lack it. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
