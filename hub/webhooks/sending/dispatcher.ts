import type { Tx } from "../../changes/change.ts";
import type { Memory } from "../../db/remembered.ts";
import { createLoop } from "../../platform/loop.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import { createClaims } from "./claims.ts";
import { createGathering } from "./gathering.ts";
import { createLanes, type Lane, type Result } from "./lanes.ts";
import { parkDeliveries, unparkDeliveries } from "./parking.ts";
import { createResultSaver } from "./result-saver.ts";
import { isDelivered } from "./save-result.ts";
import type { Sender } from "./sender.ts";
import type { Subscription } from "../subscriptions/subscription-rows.ts";
import { canDeliver } from "../subscriptions/subscription-store.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** The clock was set back if it moved back by more than this. */
const JUMP_MS = 5_000;
const STOP_WAIT_MS = 1_000;
const PAUSED = "webhooksPaused";

/**
 * Delivers events to subscriptions. An event is stored in the transaction of its change (`record`) and sent after the commit
 * (`announce`). An attempt is counted before it begins. The loop claims everything else that is due: retries, deliveries
 * interrupted by a stop, and those that did not fit into memory.
 */
export function createDispatcher(deps: WebhookDeps & { memory: Memory; sender: Sender; everyMs: number }) {
  const { world, changes, memory, subscriptions, deliveries, sender } = deps;
  const { clock } = world;
  const isSending = (): boolean => isStarted && !isPaused;
  const lanes = createLanes({ world, subscriptions, sender, isSending, onResult: (result) => results.add(result) });
  const gathering = createGathering({ ...deps, lanes, canSend });
  const claims = createClaims({ ...deps, lanes, gathering, canSend });
  const results = createResultSaver({ ...deps, claims, lanes, isStarted: () => isStarted, onSaved });
  const loop = createLoop(world, "webhooks", deps.everyMs, claimDue, untilDueMs);
  let isPaused = memory.read<boolean>(PAUSED)?.value === true;
  let isStarted = false;
  let clockOffset = clock.now() - clock.monotonic();

  function canSend(subscription: Subscription | null): boolean {
    return isSending() && canDeliver(subscription);
  }

  function onSaved(saved: readonly Result[]): void {
    if (saved.some(({ exchange }) => exchange === null)) loop.wake();
    else if (!saved.every(isDelivered)) loop.reschedule();
  }

  async function claimDue(): Promise<void> {
    await followClock();
    await results.retryLost();
    for (const id of await parkDeliveries(deps)) lanes.drop(id);
    if (!isSending()) return;
    const due: Lane[] = [];
    for (const subscription of subscriptions.list()) {
      if (!canDeliver(subscription)) continue;
      const lane = lanes.get(subscription.id);
      const isDue = gathering.dueAt(lane, subscription) <= clock.now();
      lane.hasBacklog = isDue;
      if (isDue) due.push(lane);
    }
    if (due.length > 0) claims.send(await changes.write((tx) => claims.claimFor(tx, due)));
  }

  /** Time until a claim is due. Lanes with a backlog are left out: saving their results claims the rest. */
  function untilDueMs(): number {
    if (!isSending()) return Infinity;
    const waiting = subscriptions.list().filter((each) => canDeliver(each) && !lanes.get(each.id).hasBacklog);
    return Math.min(...waiting.map((each) => gathering.dueAt(lanes.get(each.id), each))) - clock.now();
  }

  /** If the wall clock was set back, reschedules retries and pauses, which would otherwise wait until it catches up. */
  async function followClock(): Promise<void> {
    const offset = clock.now() - clock.monotonic();
    const isSetBack = offset < clockOffset - JUMP_MS;
    clockOffset = offset;
    if (!isSetBack) return;
    await changes.write((tx) => {
      for (const { id } of subscriptions.list()) pullForward(tx, id);
    });
  }

  function pullForward(tx: Tx, id: string): void {
    deliveries.pullForward(id, tx.now);
    subscriptions.countPauseFrom(id, tx.now);
  }

  return {
    record: claims.record,
    announce: claims.announce,
    /** Call after subscriptions or deliveries were changed by hand. */
    wake: loop.wake,
    isPaused: (): boolean => isPaused,
    /** Pauses or resumes all deliveries; survives a restart. `note` runs in the same transaction. */
    async setPaused(paused: boolean, note: (tx: Tx) => void): Promise<void> {
      await changes.write((tx) => {
        memory.write(PAUSED, paused, tx.now);
        note(tx);
      });
      isPaused = paused;
      if (paused) lanes.giveBack();
      loop.wake();
    },
    /** Starts sending. Interrupted deliveries are due again under the same id, even if the clock has been set back. */
    async start(): Promise<void> {
      const ids = [...subscriptions.list().map(({ id }) => id), ...subscriptions.listDeletedIds()];
      if (ids.length > 0) {
        await changes.write((tx) => {
          for (const id of ids) {
            deliveries.releaseInterrupted(id, tx.now);
            pullForward(tx, id);
          }
        });
      }
      // The hub may have ended while unparking deliveries.
      for (const { id } of subscriptions.list()) await unparkDeliveries(deps, id);
      isStarted = true;
      loop.start();
    },
    async stop(): Promise<void> {
      isStarted = false;
      results.save();
      await loop.stop();
      lanes.giveBack();
      if (!(await withTimeout(world, STOP_WAIT_MS, lanes.settled()))) sender.cutOff();
      await lanes.settled();
      await results.settled();
      sender.stop();
    },
  };
}
