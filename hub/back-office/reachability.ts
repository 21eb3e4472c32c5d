import { logEvent } from "../platform/log-event.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeFailureReason } from "./back-office-error.ts";

export type Reachability = ReturnType<typeof createReachability>;

/** Whether the back-office answers, learned from every call to it. */
export function createReachability(world: World) {
  let isUp: boolean | null = null;
  let isNetworkDown = false;
  let lastContactAt: number | null = null;
  const listeners: ((isUp: boolean) => void)[] = [];

  return {
    note(reached: boolean, reason?: BackOfficeFailureReason): void {
      isNetworkDown = !reached && reason === "no_network";
      if (reached) lastContactAt = world.clock.now();
      if (isUp === reached) return;
      isUp = reached;
      const event = logEvent(reached ? "back_office_answers" : "back_office_unreachable", { reached, reason });
      world.log.info(event, reached ? "the back-office answers" : "the back-office cannot be reached");
      for (const listener of listeners) listener(reached);
    },
    /** Null until the first call has ended. */
    isUp: (): boolean | null => isUp,
    /** The last call found no way out of this computer. */
    isNetworkDown: (): boolean => isNetworkDown,
    /** Wall time of the last answer, ms since 1970, or null. */
    lastContactAt: (): number | null => lastContactAt,
    onChange: (listener: (isUp: boolean) => void): void => void listeners.push(listener),
  };
}
