/** Polls until the answer is neither false, null nor undefined. Throws with `what` after `withinMs` ms. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
