import type { Change, Listener, Recorder, Tx } from "../changes/change.ts";
import type { Memory } from "../db/remembered.ts";
import { createLoop } from "../platform/loop.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime } from "../platform/world.ts";
import { MAX_ATTEMPTS } from "./backoff.ts";
import type { Claimed } from "./delivery-store.ts";
import { eventOf } from "./event-of.ts";
import { createGathering } from "./gathering.ts";
import { createLanes, type Lane, type Result } from "./lanes.ts";
import { parkDeliveries, unparkDeliveries } from "./parking.ts";
import { isDelivered, saveResult } from "./save-result.ts";
import type { Sender } from "./sender.ts";
import { canDeliver, type Subscription } from "./subscription-store.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** A clock that went back by more than this has jumped. */
const JUMP_MS = 5_000;
const STOP_WAIT_MS = 1_000;
/**
 * Results within this time share a write: with receivers that take 20 ms to answer, a third of the commits and a fifth
 * less CPU for each delivery.
 */
const SAVE_TOGETHER_MS = 10;
const PAUSED = "webhooksPaused";

/** Deliveries of one lane whose attempt is counted. */
interface Claim {
  lane: Lane;
  claimed: Claimed[];
}

/**
 * Delivers events to subscriptions: stored in the transaction of the change (`record`), sent after its commit
 * (`announce`). An attempt is counted before it begins. The loop claims what else is due: retries, what a stop
 * interrupted, and what did not fit into memory.
 */
export function createDispatcher(deps: WebhookDeps & { memory: Memory; sender: Sender; everyMs: number }) {
  const { world, changes, memory, subscriptions, deliveries, sender } = deps;
  const { clock, timers } = world;
  const isSending = (): boolean => isStarted && !isPaused;
  const lanes = createLanes({ world, subscriptions, sender, isSending, onResult });
  const gathering = createGathering({ ...deps, lanes, canSend });
  const loop = createLoop(world, "webhooks", deps.everyMs, claimDue, untilDueMs);
  const claimedBy = new WeakMap<Change, Claim[]>();
  let isPaused = memory.read<boolean>(PAUSED)?.value === true;
  let isStarted = false;
  let clockOffset = clock.now() - clock.monotonic();
  const saves = new Set<Promise<void>>();
  let unsaved: Result[] = [];
  let saveTimer: NodeJS.Timeout | undefined;
  /** Deliveries whose result could not be saved, as on a full disk: they are sent again. */
  let lost: number[] = [];

  /**
   * Claims the delivery with its change while the receiver keeps up: a claim of its own would be a third commit, and
   * double the time until the delivery is sent.
   */
  const record: Recorder = (change, tx) => {
    const webhookEvent = eventOf(change);
    if (webhookEvent === null) return;
    const { event, subject, dataJson } = webhookEvent;
    const wanting = subscriptions.wanting(event);
    if (wanting.length === 0) return;
    const content = `{"event":"${event}","timestamp":"${isoTime(tx.now)}","data":${dataJson()}}`;
    const eventId = deliveries.addEvent({ event, content, subject }, tx.now);
    const claims: Claim[] = [];
    for (const subscription of wanting) {
      if (gathering.takes(subscription, eventId)) continue;
      const { id: subscriptionId } = subscription;
      const lane = lanes.of(subscriptionId);
      const isClaimed = canSend(subscription) && gathering.keepsUp(subscription);
      const id = deliveries.add({ subscriptionId, eventId, event, subject, now: tx.now }, isClaimed);
      if (isClaimed) claims.push({ lane, claimed: [{ id, event, content, attempts: 1 }] });
      else lane.hasBacklog = true;
    }
    claimedBy.set(change, claims);
  };

  function canSend(subscription: Subscription | null): boolean {
    return isSending() && canDeliver(subscription);
  }

  const announce: Listener = (group) => {
    for (const change of group) send(claimedBy.get(change) ?? []);
  };

  function onResult(result: Result): void {
    unsaved.push(result);
    // With nothing else under way there is nothing to wait for.
    if (!isStarted || lanes.isIdle()) saveResults();
    else saveTimer ??= timers.setTimeout(saveResults, SAVE_TOGETHER_MS);
  }

  function saveResults(): void {
    timers.clearTimeout(saveTimer);
    saveTimer = undefined;
    const results = unsaved;
    unsaved = [];
    if (results.length === 0) return;
    const saving = save(results).finally(() => saves.delete(saving));
    saves.add(saving);
  }

  /** Saves results and, in the same write, claims what comes next. */
  async function save(results: readonly Result[]): Promise<void> {
    try {
      const claims = await changes.write((tx) => {
        tx.notify(["deliveries"]);
        for (const result of results) saveResult(deps, tx, result);
        return claimFor(tx, new Set(results.map(({ lane }) => lane)));
      });
      send(claims);
    } catch (error) {
      world.log.error({ err: error }, "the results of webhook deliveries could not be saved");
      lost.push(...results.map(({ claimed }) => claimed.id));
    }
    if (results.some(({ exchange }) => exchange === null)) loop.wake();
    else if (!results.every(isDelivered)) loop.reschedule();
  }

  function claimFor(tx: Tx, some: Iterable<Lane>): Claim[] {
    return Array.from(some, (lane) => ({ lane, claimed: claimNext(tx, lane) }));
  }

  function send(claims: readonly Claim[]): void {
    for (const { lane, claimed } of claims) lanes.send(lane, claimed);
  }

  function claimNext(tx: Tx, lane: Lane): Claimed[] {
    const subscription = subscriptions.get(lane.subscriptionId);
    if (subscription === null || !canSend(subscription)) return [];
    return gathering.claim(tx, lane, subscription).filter(({ id, attempts }) => {
      // The end of the hub cut its last attempt short.
      const isSpent = attempts > MAX_ATTEMPTS;
      if (isSpent) deliveries.settleDead(id, tx.now);
      return !isSpent;
    });
  }

  async function claimDue(): Promise<void> {
    await followClock();
    await retryLost();
    for (const id of await parkDeliveries(deps)) lanes.drop(id);
    if (!isSending()) return;
    const due: Lane[] = [];
    for (const subscription of subscriptions.list()) {
      if (!canDeliver(subscription)) continue;
      const lane = lanes.of(subscription.id);
      const isDue = gathering.dueAt(lane, subscription) <= clock.now();
      lane.hasBacklog = isDue;
      if (isDue) due.push(lane);
    }
    if (due.length > 0) send(await changes.write((tx) => claimFor(tx, due)));
  }

  /** The rest of a backlog is claimed with the results of what is in flight. */
  function untilDueMs(): number {
    if (!isSending()) return Infinity;
    const waiting = subscriptions.list().filter((each) => canDeliver(each) && !lanes.of(each.id).hasBacklog);
    return Math.min(...waiting.map((each) => gathering.dueAt(lanes.of(each.id), each))) - clock.now();
  }

  async function retryLost(): Promise<void> {
    if (lost.length === 0) return;
    const ids = lost;
    await changes.write((tx) => ids.forEach((id) => deliveries.retryAt(id, tx.now)));
    lost = lost.filter((id) => !ids.includes(id));
  }

  /** Retries must not wait for the time from which the wall clock went back. */
  async function followClock(): Promise<void> {
    const offset = clock.now() - clock.monotonic();
    const hasGoneBack = offset < clockOffset - JUMP_MS;
    clockOffset = offset;
    if (!hasGoneBack) return;
    await changes.write((tx) => {
      for (const { id } of subscriptions.list()) deliveries.pullForward(id, tx.now);
    });
  }

  return {
    record,
    announce,
    /** Subscriptions or deliveries were changed by hand. */
    wake: loop.wake,
    isPaused: (): boolean => isPaused,
    /** Holds all deliveries back, or sends them again; survives a restart. `note` runs in the same write. */
    async setPaused(paused: boolean, note: (tx: Tx) => void): Promise<void> {
      await changes.write((tx) => {
        memory.write(PAUSED, paused, tx.now);
        note(tx);
      });
      isPaused = paused;
      if (paused) lanes.giveBack();
      loop.wake();
    },
    /** What was under way when the hub ended is due again, under the same id, even if the clock has gone back since. */
    async start(): Promise<void> {
      const ids = [...subscriptions.list().map(({ id }) => id), ...subscriptions.deletedIds()];
      if (ids.length > 0) {
        await changes.write((tx) => {
          for (const id of ids) {
            deliveries.releaseInterrupted(id, tx.now);
            deliveries.pullForward(id, tx.now);
          }
        });
      }
      // The hub may have ended while it put back what was parked.
      for (const { id } of subscriptions.list()) await unparkDeliveries(deps, id);
      isStarted = true;
      loop.start();
    },
    async stop(): Promise<void> {
      isStarted = false;
      saveResults();
      await loop.stop();
      lanes.giveBack();
      if (!(await withTimeout(world, STOP_WAIT_MS, lanes.settled()))) sender.cutOff();
      await lanes.settled();
      while (saves.size > 0) await Promise.all(saves);
      sender.stop();
    },
  };
}
