/** How much a long job may write between two syncs. The hub's own syncs must wait for unsynced data. */
export const SYNC_BYTES = 4 * 1024 * 1024;

/** The longest pause, so that the job can be cancelled quickly. */
const MAX_MS = 100;

/**
 * Throttles a long job in its own thread. Each call of the returned function blocks the thread for as long as the work
 * since the last call took, so that the job uses about half of the disk's and the processor's time.
 */
export function createPace(): () => void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let workSince = performance.now();
  return () => {
    Atomics.wait(never, 0, 0, Math.min(MAX_MS, performance.now() - workSince));
    workSince = performance.now();
  };
}
