/** The pattern that finds a text anywhere, for `LIKE … ESCAPE '\'`: what is a wildcard to SQL stands for itself. */
export function likePart(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
