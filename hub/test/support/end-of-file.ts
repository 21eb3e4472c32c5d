const left: (() => Promise<void>)[] = [];

/** Runs `work` after the last test of the current file. Also callable inside a test, where hooks cannot be added. */
export function atEndOfFile(work: () => Promise<void>): void {
  left.push(work);
}

/** Runs the registered work of the current file, last registered first. */
export async function endFile(): Promise<void> {
  for (const work of left.splice(0).toReversed()) await work();
}
