/** What is shown of a query, or of several together. */
export interface Read<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

/** Several reads as one: it has data once each of them has, and the error of what keeps one of them from it. */
export function allOf<T>(reads: readonly Read<T>[]): Read<T[]> {
  const missing = reads.filter(({ data }) => data === undefined);
  return {
    data: missing.length > 0 ? undefined : reads.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: missing.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(reads.map((read) => read.refetch())),
  };
}
