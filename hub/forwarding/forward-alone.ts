import { BackOfficeError, isLineFailure, isRefusal } from "../back-office/back-office-error.ts";
import { createStopwatch } from "../platform/stopwatch.ts";
import type { WaitingEvent } from "./event-rows.ts";
import { DAMAGED, type ForwardDeps } from "./forward-deps.ts";
import { lookUpPaid, readPaidOrders } from "./paid-orders.ts";

/** Sends events that failed in a batch one by one, when their next attempt is due. */
export function createSingles(deps: ForwardDeps & { drainBatches: () => Promise<boolean> }) {
  const { world, changes, events, orders, client, own, outcomes, isStopping, drainBatches } = deps;

  return { drain };

  async function drain(areBatchesPaused: boolean): Promise<void> {
    let isPaused = areBatchesPaused;
    for (let after = 0; !isStopping();) {
      const event = events.nextAlone(world.clock.now(), after);
      if (event === null) return;
      after = event.id;
      const isAnswered = await attemptAlone(event);
      // The attempt may have taken long, so orders paid in the meantime go first.
      if (!isAnswered && !isPaused) isPaused = await drainBatches();
    }
  }

  /** Sends a single event. Returns false if there was no answer. */
  async function attemptAlone(event: WaitingEvent): Promise<boolean> {
    const {
      paid: [paid],
      presented: [presented],
    } = readPaidOrders(orders, world.log, [event]);
    if (paid === undefined || presented === undefined) {
      await changes.write((tx) => outcomes.setAsideFor(tx, event, DAMAGED, 0));
      return true;
    }
    const took = createStopwatch(world);
    try {
      const result = await own.use((token) => client.finalize(token, presented));
      if (result.status === "failed") {
        throw new BackOfficeError("refused", result.error ?? "refused", { errorCode: result.errorCode ?? undefined });
      }
      const ms = took();
      await changes.write((tx) => outcomes.confirm(tx, event, result, ms));
      return true;
    } catch (error) {
      if (!(error instanceof BackOfficeError) || isLineFailure(error)) throw error;
      const ms = took();
      const isRefused = isRefusal(error);
      const found = isRefused ? undefined : (await lookUpPaid(client, own, [paid])).get(event.posReference);
      await changes.write((tx) => {
        if (found === undefined) outcomes.refuse(tx, event, error, ms);
        else outcomes.settleFound(tx, paid, found, ms);
      });
      return isRefused;
    }
  }
}
