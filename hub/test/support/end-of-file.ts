const callbacks: (() => Promise<void>)[] = [];

/** Runs `callback` after the last test of the current file. Also callable inside a test, where hooks cannot be added. */
export function atEndOfFile(callback: () => Promise<void>): void {
  callbacks.push(callback);
}

/** Runs the registered callbacks of the current file, last registered first. */
export async function endFile(): Promise<void> {
  for (const callback of callbacks.splice(0).toReversed()) await callback();
}
