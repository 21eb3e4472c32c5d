import type { Budget } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedBucket } from "./paced-bucket.ts";

/** Sends a kind of message of which only the newest counts; `send` builds the message when it is sent. */
export function createPacedSender(world: TerminalWorld, budget: Budget, send: () => void) {
  let bucket = createPacedBucket(budget, world.clock);
  let cancel: (() => void) | null = null;

  function attempt(): void {
    cancel = null;
    if (bucket.take()) send();
    else cancel = world.timers.after(bucket.waitMs(), attempt);
  }

  return {
    /** Sends now, or as soon as the hub admits it; several waiting requests become one message. */
    request(): void {
      if (cancel === null) attempt();
    },
    /** The hub refused the last one as too many: it is sent again later. */
    refused(): void {
      bucket.empty();
      if (cancel === null) attempt();
    },
    /** The session has ended: drops what waits; the next one has its own budget. */
    reset(): void {
      cancel?.();
      cancel = null;
      bucket = createPacedBucket(budget, world.clock);
    },
  };
}
