import { messageBudgets } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedSender } from "./paced-sender.ts";

/** By this the refusal of a RESYNC is known. */
export const RESYNC_ID = "resync";

/** Asks for what is missing of the hub's state, once until it comes. */
export interface Resync {
  request(): void;
  /** The hub refused the last message as one too many. */
  refused(): void;
  /** The state has come. */
  done(): void;
  lost(): void;
}

export function createResync(world: TerminalWorld, send: (requestId: string) => void): Resync {
  const sender = createPacedSender(world, messageBudgets.resync, () => send(RESYNC_ID));
  let waiting = false;
  return {
    request() {
      if (waiting) return;
      waiting = true;
      sender.request();
    },
    refused: sender.refused,
    done() {
      waiting = false;
    },
    lost() {
      waiting = false;
      sender.reset();
    },
  };
}
