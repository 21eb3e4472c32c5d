/** The JSON of a column, or `fallback` where it is damaged: one row must not keep the others from being read. */
export function parseColumn<T>(text: string, fallback: T): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return fallback;
  }
}
