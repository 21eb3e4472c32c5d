const left: (() => Promise<void>)[] = [];

/** Has something done when the tests of the present file are over, also from inside a test, which can add no hooks. */
export function atEndOfFile(work: () => Promise<void>): void {
  left.push(work);
}

/** Does what is left to do for the present file, the last thing first. */
export async function endFile(): Promise<void> {
  for (const work of left.splice(0).toReversed()) await work();
}
