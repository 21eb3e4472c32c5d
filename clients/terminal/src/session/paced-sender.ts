import { createTokenBucket, type Budget } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";

/** The share of a budget that is used: messages may arrive closer together than they were sent. */
export const PACE = 0.8;

/** Sends a kind of message of which only the newest counts; `send` builds the message when it is sent. */
export function createPacedSender(world: TerminalWorld, budget: Budget, send: () => void) {
  const paced = { burst: Math.max(1, Math.floor(budget.burst * PACE)), perSecond: budget.perSecond * PACE };
  let bucket = createTokenBucket(paced, world.clock.monotonic);
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
      bucket = createTokenBucket(paced, world.clock.monotonic);
    },
  };
}
