/** How many rotated tokens are remembered. */
const MAX_ENTRIES = 1_000;

/** Remembers which token replaced which, since a client may still send an older one. */
export function createTokenRotations() {
  const successors = new Map<string, string>();

  function newestOf(token: string): string {
    const next = successors.get(token);
    return next === undefined ? token : newestOf(next);
  }

  return {
    newestOf,
    /** The tokens that `newest` has replaced. */
    olderThan: (newest: string): string[] => [...successors.keys()].filter((token) => newestOf(token) === newest),
    add(token: string, next: string): void {
      successors.set(token, next);
      successors.delete(next);
      const [oldest] = successors.keys();
      if (successors.size > MAX_ENTRIES && oldest !== undefined) successors.delete(oldest);
    },
  };
}
