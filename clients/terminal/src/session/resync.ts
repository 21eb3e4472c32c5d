import { pacedBudgets } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedSender } from "../pace/paced-sender.ts";

/** Request id that identifies refusals of RESYNC. */
export const RESYNC_ID = "resync";

/** Requests the missing part of the hub's state, once until it arrives. */
export function createResync(world: TerminalWorld, send: (requestId: string) => void) {
  const sender = createPacedSender(world, pacedBudgets.resync, () => send(RESYNC_ID));
  let waiting = false;
  return {
    request(): void {
      if (waiting) return;
      waiting = true;
      sender.request();
    },
    /** Requests it again later: the hub refused the last request. */
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
