import { pacedBudgets } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedSender } from "../pace/paced-sender.ts";

/** By this the refusal of a RESYNC is known. */
export const RESYNC_ID = "resync";

/** Asks for what is missing of the hub's state, once until it comes. */
export function createResync(world: TerminalWorld, send: (requestId: string) => void) {
  const sender = createPacedSender(world, pacedBudgets.resync, () => send(RESYNC_ID));
  let waiting = false;
  return {
    request(): void {
      if (waiting) return;
      waiting = true;
      sender.request();
    },
    /** The hub has not answered the last message with the state. */
    refused: sender.refused,
    done(): void {
      waiting = false;
    },
    lost(): void {
      waiting = false;
      sender.reset();
    },
  };
}
