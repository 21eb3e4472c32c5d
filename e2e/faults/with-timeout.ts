/** Settles as `promise` does; rejects, naming what it waited for, after `ms`. */
export async function withTimeout<T>(what: string, promise: Promise<T>, ms = 20_000): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} did not happen within ${ms} ms`)), ms);
  // It may still reject after the timeout.
  promise.catch(() => {});
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
