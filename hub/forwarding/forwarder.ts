import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Tx } from "../changes/change.ts";
import { createLoop } from "../platform/loop.ts";
import { createEventOutcomes } from "./event-outcomes.ts";
import { createSingles } from "./forward-alone.ts";
import { createBatches } from "./forward-batches.ts";

export type Forwarder = ReturnType<typeof createForwarder>;

/**
 * Sends paid orders to the back-office, in order, batch after batch until the queue is empty. What fails in a batch is
 * tried alone with back-off, so that one bad order holds up no other; nothing is dropped. A batch that fails as a whole,
 * while the back-office answers otherwise, is halved until the order to blame is found.
 */
export function createForwarder(
  deps: {
    changes: ChangeLog;
    client: BackOfficeClient;
    own: OwnSession;
    hubId: string;
    batchSize: number;
  } & Parameters<typeof createEventOutcomes>[0],
) {
  const { world, changes, events, own, intervalMs } = deps;
  const outcomes = createEventOutcomes(deps);
  const sending = { ...deps, outcomes, isStopping: () => stopping };
  const batches = createBatches(sending);
  const singles = createSingles({ ...sending, drainBatches: batches.drain });
  let stopping = false;
  const loop = createLoop(world, "forwarding", intervalMs, drain);

  async function drain(): Promise<void> {
    const returnAt = events.nextReturnAt();
    if (returnAt !== null && returnAt <= world.clock.now()) await changes.write((tx) => outcomes.bringBack(tx));
    if (!own.hasCredentials) return;
    try {
      const isPaused = await batches.drain();
      await singles.drain(isPaused);
    } catch (error) {
      // The rows stay as they are: the next run is the retry.
      if (!(error instanceof BackOfficeError)) throw error;
    }
  }

  return {
    start: loop.start,
    /** New work has come, or the back-office is back. */
    wake: loop.wake,
    /** Sends everything that is due and resolves when that is done. */
    drainNow: loop.runNow,
    async stop(): Promise<void> {
      stopping = true;
      await loop.stop();
    },

    /** Sends an event again on an operator's word, audited by `note`; false when it is unknown or done. */
    async retry(eventId: number, note: (tx: Tx, posReference: string) => void): Promise<boolean> {
      const isRetried = await changes.write((tx) => {
        const posReference = outcomes.retry(tx, eventId);
        if (posReference !== null) note(tx, posReference);
        return posReference !== null;
      });
      if (isRetried) loop.wake();
      return isRetried;
    },
    setAside: outcomes.setAside,
    takeBack: outcomes.takeBack,
  };
}
