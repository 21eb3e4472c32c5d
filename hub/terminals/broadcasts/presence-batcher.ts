import type { World } from "../../platform/world.ts";

/** Batching interval, in ms. */
const GATHER_MS = 1_000;
/** Terminals per batch. Fewer than this change per second in a restaurant, and each goes to every terminal. */
const BATCH_SIZE = 15;

/**
 * Sends the presence of terminals: at once after a quiet second, otherwise batched with only the newest per terminal. So the
 * number of frames does not grow with the square of the number of terminals.
 */
export function createPresenceBatcher<T>(world: World, send: (terminalId: string, item: T) => void) {
  const { timers } = world;
  /** By terminal, the longest waiting first. */
  const pending = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;

  function gather(): void {
    timer = timers.setTimeout(() => {
      timer = undefined;
      if (pending.size === 0) return;
      for (const [terminalId, item] of [...pending].slice(0, BATCH_SIZE)) {
        pending.delete(terminalId);
        send(terminalId, item);
      }
      gather();
    }, GATHER_MS);
  }

  return {
    add(terminalId: string, item: T): void {
      if (timer !== undefined) {
        pending.set(terminalId, item);
        return;
      }
      send(terminalId, item);
      gather();
    },
    /** Drops the queued presence of a terminal that has left. */
    forget: (terminalId: string): void => void pending.delete(terminalId),
    stop(): void {
      timers.clearTimeout(timer);
    },
  };
}
