/**
 * Lets what waits for an answer go when it is stopped. `Promise.race` with one promise that lives as long as the hub would keep
 * everything that was ever answered.
 */
export function createStop() {
  const waiting = new Set<() => void>();
  let isStopped = false;

  return {
    /** What `work` comes to; rejects when it is stopped before. */
    orStop: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const letGo = (): void => reject(new Error("the hub stops"));
        if (isStopped) letGo();
        waiting.add(letGo);
        void work.then(resolve, reject).finally(() => waiting.delete(letGo));
      }),
    isStopped: (): boolean => isStopped,
    stop(): void {
      isStopped = true;
      for (const letGo of waiting) letGo();
    },
  };
}
