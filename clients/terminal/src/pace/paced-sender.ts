import type { Budget } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedBucket } from "./paced-bucket.ts";

/** Sends messages of which only the newest counts. `send` builds the message when it is sent. */
export function createPacedSender(world: TerminalWorld, budget: Budget, send: () => void) {
  let bucket = createPacedBucket(budget, world.clock);
  let cancel: (() => void) | null = null;

  function attempt(): void {
    cancel = null;
    if (bucket.take()) send();
    else cancel = world.timers.after(bucket.waitMs(), attempt);
  }

  return {
    /** Sends now, or as soon as the budget allows. Several pending requests become one message. */
    request(): void {
      if (cancel === null) attempt();
    },
    /** Schedules a retry after the hub refused the last message as one too many. */
    refused(): void {
      bucket.empty();
      if (cancel === null) attempt();
    },
    /** Drops the pending request at the end of a session. The next session has its own budget. */
    reset(): void {
      cancel?.();
      cancel = null;
      bucket = createPacedBucket(budget, world.clock);
    },
  };
}
