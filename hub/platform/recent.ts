/** Keeps one value per name until the name has not been used for `ttlMs`. `monotonic` is in ms. */
export function createRecent<T>(ttlMs: number, monotonic: () => number, make: () => T) {
  /** Ordered by last use. */
  const uses = new Map<string, { value: T; at: number }>();

  /** Returns the value of a name, created if there is none. */
  return function use(name: string): T {
    const now = monotonic();
    for (const [unused, { at }] of uses) {
      if (at > now - ttlMs) break;
      uses.delete(unused);
    }
    const value = uses.get(name)?.value ?? make();
    uses.delete(name);
    uses.set(name, { value, at: now });
    return value;
  };
}
