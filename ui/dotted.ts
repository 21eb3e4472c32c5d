/** What stands side by side in one line, without what there is nothing to say of. */
export function dotted(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}
