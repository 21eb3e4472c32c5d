/** Answers what `promise` does; rejects, naming what it waited for, when that takes longer than `ms`. */
export async function withDeadline<T>(what: string, promise: Promise<T>, ms = 20_000): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} did not happen within ${ms} ms`)), ms);
  // Whichever loses the race may still reject.
  promise.catch(() => {});
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
