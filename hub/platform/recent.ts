/** Keeps one value per name until the name has not been used for `keptMs`. `monotonic` is in ms. */
export function createRecent<T>(keptMs: number, monotonic: () => number, make: () => T) {
  /** Ordered by last use. */
  const uses = new Map<string, { value: T; at: number }>();

  /** Returns the value of a name, created if there is none. */
  return function use(name: string): T {
    const now = monotonic();
    for (const [silent, { at }] of uses) {
      if (at > now - keptMs) break;
      uses.delete(silent);
    }
    const value = uses.get(name)?.value ?? make();
    uses.delete(name);
    uses.set(name, { value, at: now });
    return value;
  };
}
