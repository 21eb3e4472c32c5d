const collator = new Intl.Collator("es", { numeric: true });

/** Compares by name in the order that people expect: Azua 18 before Azua 113. */
export function compareNames(a: { name: string }, b: { name: string }): number {
  return collator.compare(a.name, b.name);
}
