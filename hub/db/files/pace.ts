/** So much may wait to be written to the disk by long work: the hub's own syncs wait behind it. */
export const SYNC_BYTES = 4 * 1024 * 1024;

/** The longest rest, so that cancelling the work does not take long. */
const MOST_MS = 100;

/**
 * For long work in a thread of its own: each call of the result blocks the thread for as long as the work since the last
 * call took, so that the work takes half of the disk and of a processor and leaves the rest to the service.
 */
export function createPace(): () => void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let workSince = performance.now();
  return () => {
    Atomics.wait(never, 0, 0, Math.min(MOST_MS, performance.now() - workSince));
    workSince = performance.now();
  };
}
