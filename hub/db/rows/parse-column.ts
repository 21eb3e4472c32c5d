/** Parses the JSON of a column. Returns `fallback` if it is damaged, so that the other rows can still be read. */
export function parseColumn<T>(text: string, fallback: T): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return fallback;
  }
}
