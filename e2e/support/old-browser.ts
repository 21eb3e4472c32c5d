// Run before a page's own scripts: make a current browser behave like an older one.

/** Simulates the oldest supported browser: removes what came after Chrome 119 and Safari 17.4. */
export function emulateOldestBrowser(): void {
  const newerApis: [object, string[]][] = [
    [URL, ["parse", "canParse"]],
    [Promise, ["try"]],
    [Array, ["fromAsync"]],
    [
      Set.prototype,
      ["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"],
    ],
    [
      Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object,
      ["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find"],
    ],
  ];
  for (const [owner, names] of newerApis) for (const name of names) Reflect.deleteProperty(owner, name);
  for (const name of ["values", Symbol.asyncIterator]) Reflect.deleteProperty(ReadableStream.prototype, name);
}

/** Simulates a browser that is older than supported. */
export function emulateUnsupportedBrowser(): void {
  Reflect.deleteProperty(Promise, "withResolvers");
}
