/**
 * Rejects pending waits when it is stopped. Hand-written because `Promise.race` with one promise that lives as long as the hub
 * would retain every answer.
 */
export function createStop() {
  const waiting = new Set<() => void>();
  let isStopped = false;

  return {
    /** Returns the result of `work`; rejects if stopped before. */
    orStop: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const cancel = (): void => reject(new Error("the hub stops"));
        if (isStopped) cancel();
        waiting.add(cancel);
        void work.then(resolve, reject).finally(() => waiting.delete(cancel));
      }),
    isStopped: (): boolean => isStopped,
    stop(): void {
      isStopped = true;
      for (const cancel of waiting) cancel();
    },
  };
}
