/** Polls until the answer is neither false, null nor undefined. Throws with `description` after `timeoutMs` ms. */
export async function until<T>(
  description: string,
  poll: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await poll();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (performance.now() > deadline) throw new Error(`${description} did not happen within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
