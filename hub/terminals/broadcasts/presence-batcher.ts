import type { World } from "../../platform/world.ts";

/** How long changes are gathered after some were sent. */
const GATHER_MS = 1_000;
/** How many are sent at once: more than change in a second in a restaurant, and each goes to every terminal. */
const AT_ONCE = 15;

/**
 * Sends where terminals are: at once after a quiet second, and gathered otherwise, of each terminal the newest. So the
 * frames that terminals get do not grow with the square of how many there are.
 */
export function createPresenceBatcher<T>(world: World, send: (terminalId: string, item: T) => void) {
  const { timers } = world;
  /** By terminal, the one that has waited longest first. */
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
    /** The terminal has left: where it was is news to nobody. */
    forget: (terminalId: string): void => void held.delete(terminalId),
    stop(): void {
      timers.clearTimeout(timer);
    },
  };
}
