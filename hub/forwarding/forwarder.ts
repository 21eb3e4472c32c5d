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
 * Sends paid orders to the back-office, in order and in batches until the queue is empty. An order that fails in a batch is
 * retried alone with backoff, so that it does not block others; orders are never dropped. A batch that fails as a whole
 * while the back-office is reachable is halved until the failing order is found.
 */
export function createForwarder(
  deps: {
    changes: ChangeLog;
    client: BackOfficeClient;
    own: OwnSession;
    hubId: string;
    batchSize: number;
    /** The longest pause after a run that failed: electronic receipts wait for the next one. */
    retryMs: number;
  } & Parameters<typeof createEventOutcomes>[0],
) {
  const { world, changes, events, own, intervalMs, retryMs } = deps;
  const outcomes = createEventOutcomes(deps);
  const sending = { ...deps, outcomes, isStopping: () => stopping };
  const batches = createBatches(sending);
  const singles = createSingles({ ...sending, drainBatches: batches.drain });
  let stopping = false;
  let hasFailed = false;
  const loop = createLoop(world, "forwarding", intervalMs, drain, () => (hasFailed ? retryMs : intervalMs));

  async function drain(): Promise<void> {
    const returnAt = events.nextReturnAt();
    if (returnAt !== null && returnAt <= world.clock.now()) await changes.write((tx) => outcomes.bringBack(tx));
    if (!own.hasCredentials) return;
    hasFailed = true;
    try {
      const isPaused = await batches.drain();
      await singles.drain(isPaused);
      hasFailed = isPaused;
    } catch (error) {
      // The events stay unchanged, and the next run retries them.
      if (!(error instanceof BackOfficeError)) throw error;
    }
  }

  return {
    start: loop.start,
    /** Starts a run soon. Call this for new events, or when the back-office is reachable again. */
    wake: loop.wake,
    /** Sends all due events and resolves when they are processed. */
    drainNow: loop.runNow,
    async stop(): Promise<void> {
      stopping = true;
      await loop.stop();
    },

    /** Retries an event for an operator and audits it with `note`. Returns false if it is unknown or done. */
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
