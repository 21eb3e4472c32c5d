import type { World } from "../../platform/world.ts";

/** Batching interval, in ms. */
const GATHER_MS = 1_000;
/** Terminals per batch. Fewer than this change per second in a restaurant, and each goes to every terminal. */
const AT_ONCE = 15;

/**
 * Sends the presence of terminals: at once after a quiet second, otherwise batched with only the newest per terminal. So the
 * number of frames does not grow with the square of the number of terminals.
 */
export function createPresenceBatcher<T>(world: World, send: (terminalId: string, item: T) => void) {
  const { timers } = world;
  /** By terminal, the longest waiting first. */
  const held = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;

  function gather(): void {
    timer = timers.setTimeout(() => {
      timer = undefined;
      if (held.size === 0) return;
      for (const [terminalId, item] of [...held].slice(0, AT_ONCE)) {
        held.delete(terminalId);
        send(terminalId, item);
      }
      gather();
    }, GATHER_MS);
  }

  return {
    add(terminalId: string, item: T): void {
      if (timer !== undefined) {
        held.set(terminalId, item);
        return;
      }
      send(terminalId, item);
      gather();
    },
    /** Drops the queued presence of a terminal that has left. */
    forget: (terminalId: string): void => void held.delete(terminalId),
    stop(): void {
      timers.clearTimeout(timer);
    },
  };
}
