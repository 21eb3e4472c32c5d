/** Joins the parts of one line with dots, and omits empty parts. */
export function joinWithDots(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}
