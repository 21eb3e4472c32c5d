/** Settles as `promise` does. Rejects after `ms`, naming what it waited for, and its state if `describeState` returns it. */
export async function withTimeout<T>(
  description: string,
  promise: Promise<T>,
  ms = 20_000,
  describeState?: () => string | Promise<string>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const fail = async (): Promise<never> => {
    const sentence = `${description} did not happen within ${ms} ms`;
    throw new Error(describeState === undefined ? sentence : `${sentence}: ${await describeState()}`);
  };
  const timer = setTimeout(() => fail().catch(late.reject), ms);
  // It may still reject after the timeout.
  promise.catch(() => {});
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
