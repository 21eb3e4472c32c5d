/** The part of a query that screens show, or of several queries together. */
export interface Read<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}

/** Combines several reads. Has data once all of them have, and the error of a read without data. */
export function combineReads<T>(reads: readonly Read<T>[]): Read<T[]> {
  const missing = reads.filter(({ data }) => data === undefined);
  return {
    data: missing.length > 0 ? undefined : reads.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: missing.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(reads.map((read) => read.refetch())),
  };
}
