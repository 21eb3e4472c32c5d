import type { Change, Listener, Notice, Recorder, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import type { Memory } from "../db/remembered.ts";
import { createLoop } from "../platform/loop.ts";
import { redactUrl } from "../platform/redact-url.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime, type World } from "../platform/world.ts";
import { backoffMs, MAX_ATTEMPTS } from "./backoff.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import { deliveryBody, type Claimed, type DeliveryStore } from "./delivery-store.ts";
import { eventOf } from "./event-of.ts";
import type { Exchange, Sender } from "./sender.ts";
import { canDeliver, type SubscriptionWithSecret, type SubscriptionStore } from "./subscription-store.ts";

export type Dispatcher = ReturnType<typeof createDispatcher>;

const TIMEOUT_MS = 10_000;
/** Deliveries in flight: to one receiver, and to all of them together. Every receiver gets at least one of these. */
const IN_FLIGHT_EACH = 16;
const IN_FLIGHT_ALL = 512;
/** Deliveries that wait in memory for a receiver; the rest wait in the data file. */
const QUEUE_MAX = 256;
const CLAIM_MANY = 64;
/** A clock that went back by more than this has jumped. */
const JUMP_MS = 5_000;
const STOP_WAIT_MS = 1_000;
/** Ends of deliveries are written down together: they share a commit, and one written too late is only sent again. */
const SETTLE_TOGETHER_MS = 10;
/** How often a receiver that is well is noted as such. */
const NOTE_EVERY_MS = 1_000;
const PAUSED = "webhooksPaused";

/** What one receiver has waiting in memory and under way. */
interface Lane {
  queue: Claimed[];
  inFlight: number;
  /** More of it waits in the data file, due now. */
  hasBacklog: boolean;
  /** When the next failed delivery is due again (ms since 1970), as far as is known. */
  nextDueAt: number | null;
  isFailing: boolean;
  notedAt: number;
}

/** The end of an attempt that is not written down yet. */
interface Unsettled {
  settle(tx: Tx): Claimed[];
  resolve(more: Claimed[]): void;
  reject(error: unknown): void;
}

/**
 * Delivers events to subscriptions: queued in the transaction of the change (`record`), sent after its commit
 * (`announce`), each receiver in a lane of its own so that a slow one holds up nobody. An attempt is counted before it is
 * made. `run` picks up retries, what a stop interrupted and what did not fit into memory.
 */
export function createDispatcher(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  sender: Sender;
  everyMs: number;
}) {
  const { world, changes, memory, subscriptions, deliveries, sender } = deps;
  const { clock, timers } = world;
  const lanes = new Map<string, Lane>();
  /** The lanes with something in their queue. */
  const busy = new Map<string, Lane>();
  const claimedBy = new WeakMap<Change, { subscriptionId: string; claimed: Claimed }[]>();
  const loop = createLoop(world, "webhooks", deps.everyMs, run);
  let isPaused = memory.read<boolean>(PAUSED)?.value === true;
  let isStarted = false;
  /** Something may be parked for an enabled subscription: the hub may have ended in the middle of that. */
  let isUnparkingDue = true;
  let inFlight = 0;
  let cursor = 0;
  let dueTimer: NodeJS.Timeout | undefined;
  /** When `dueTimer` ends, ms since 1970; infinity while it does not run. */
  let dueAt = Infinity;
  let clockOffset = clock.now() - clock.monotonic();
  const settling = new Set<Promise<void>>();
  let unsettled: Unsettled[] = [];
  /** Deliveries whose end could not be written down, as on a full disk: they are sent again when it can. */
  let stranded: number[] = [];
  let settleTimer: NodeJS.Timeout | undefined;

  function laneOf(subscriptionId: string): Lane {
    const known = lanes.get(subscriptionId);
    if (known !== undefined) return known;
    const lane: Lane = {
      queue: [],
      inFlight: 0,
      hasBacklog: deliveries.nextDueAt(subscriptionId) !== null,
      nextDueAt: null,
      isFailing: subscriptions.health(subscriptionId).consecutiveFailures > 0,
      notedAt: -Infinity,
    };
    lanes.set(subscriptionId, lane);
    return lane;
  }

  function enqueue(subscriptionId: string, claimed: readonly Claimed[]): void {
    if (claimed.length === 0) return;
    const lane = laneOf(subscriptionId);
    lane.queue.push(...claimed);
    busy.set(subscriptionId, lane);
  }

  /** Takes everything out of the queue of one lane. */
  function emptyQueue(subscriptionId: string, lane: Lane): Claimed[] {
    busy.delete(subscriptionId);
    return lane.queue.splice(0);
  }

  /** Gives everything back that waits in memory: the rest of it waits in the data file. */
  async function giveBackQueued(): Promise<void> {
    const queued = [...lanes].flatMap(([id, lane]) => emptyQueue(id, lane));
    if (queued.length > 0) await giveBack(queued);
  }

  // --- with the change ---

  const record: Recorder = (change, tx) => {
    const told = eventOf(change);
    if (told === null) return;
    const wanting = subscriptions.wanting(told.event);
    if (wanting.length === 0) return;
    const { event, subject } = told;
    const content = `{"event":"${event}","timestamp":"${isoTime(tx.now)}","data":${told.dataJson()}}`;
    const eventId = deliveries.addEvent(event, content);
    const started: { subscriptionId: string; claimed: Claimed }[] = [];
    for (const subscription of wanting) {
      const { id: subscriptionId } = subscription;
      const lane = laneOf(subscriptionId);
      const isClaimed =
        isStarted && !isPaused && canDeliver(subscription) && !lane.hasBacklog && lane.queue.length < QUEUE_MAX;
      const id = deliveries.add({ subscriptionId, eventId, event, subject, now: tx.now }, isClaimed);
      if (isClaimed) started.push({ subscriptionId, claimed: { id, event, content, attempts: 1 } });
      else lane.hasBacklog = true;
    }
    claimedBy.set(change, started);
  };

  const announce: Listener = (group) => {
    let isBehind = false;
    for (const change of group) {
      const started = claimedBy.get(change);
      if (started === undefined) continue;
      if (started.length === 0) isBehind = true;
      for (const { subscriptionId, claimed } of started) enqueue(subscriptionId, [claimed]);
    }
    sendQueued();
    if (isBehind) loop.wake();
  };

  // --- sending ---

  /** Starts what may start, lane after lane, beginning where the last round ended. */
  function sendQueued(): void {
    if (isPaused || !isStarted || busy.size === 0) return;
    const waiting = [...busy];
    const share = Math.max(1, Math.min(IN_FLIGHT_EACH, Math.floor(IN_FLIGHT_ALL / lanes.size)));
    for (let turn = 0; turn < waiting.length; turn += 1) {
      const [subscriptionId, lane] = waiting[(cursor + turn) % waiting.length] ?? [];
      if (subscriptionId === undefined || lane === undefined) continue;
      while (lane.inFlight < share && lane.queue.length > 0) {
        if (inFlight >= IN_FLIGHT_ALL) {
          cursor = (cursor + turn) % waiting.length;
          return;
        }
        const claimed = lane.queue.shift();
        if (claimed !== undefined) start(subscriptionId, lane, claimed);
      }
      if (lane.queue.length === 0) busy.delete(subscriptionId);
    }
    cursor += 1;
  }

  function start(subscriptionId: string, lane: Lane, claimed: Claimed): void {
    lane.inFlight += 1;
    inFlight += 1;
    const done = attempt(subscriptionId, lane, claimed)
      .catch((error: unknown) => {
        world.log.error({ err: error, delivery: claimed.id }, "a delivery was not settled");
        stranded.push(claimed.id);
      })
      .finally(() => settling.delete(done));
    settling.add(done);
  }

  async function attempt(subscriptionId: string, lane: Lane, claimed: Claimed): Promise<void> {
    const subscription = subscriptions.get(subscriptionId);
    const exchange = canDeliver(subscription) ? await post(subscription, claimed).finally(() => freePlace(lane)) : null;
    if (exchange === null) {
      freePlace(lane);
      await changes.write((tx) => deliveries.giveBack(claimed.id, tx.now));
      loop.wake();
      return;
    }
    const more = await settleSoon((tx) => settle(tx, subscriptionId, lane, claimed, exchange));
    enqueue(subscriptionId, more);
    sendQueued();
    if (lane.nextDueAt !== null) scheduleDue(lane.nextDueAt);
  }

  /** The receiver has answered, or never will: its place is the next one's before the end is written down. */
  function freePlace(lane: Lane): void {
    lane.inFlight -= 1;
    inFlight -= 1;
    sendQueued();
  }

  function settleSoon(work: (tx: Tx) => Claimed[]): Promise<Claimed[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Claimed[]>();
    unsettled.push({ settle: work, resolve, reject });
    // With nothing else under way there is nothing to wait for.
    if (!isStarted || inFlight === 0) settleNow();
    else settleTimer ??= timers.setTimeout(settleNow, SETTLE_TOGETHER_MS);
    return promise;
  }

  function settleNow(): void {
    timers.clearTimeout(settleTimer);
    settleTimer = undefined;
    const ended = unsettled;
    unsettled = [];
    if (ended.length === 0) return;
    changes
      .write((tx) => {
        tx.emit({ kind: "notice", notice: { topics: ["deliveries"] } });
        return ended.map((each) => each.settle(tx));
      })
      .then((claimed) => ended.forEach((each, index) => each.resolve(claimed[index] ?? [])))
      .catch((error: unknown) => ended.forEach((each) => each.reject(error)));
  }

  function post(subscription: SubscriptionWithSecret, claimed: Claimed): Promise<Exchange> {
    // Made into bytes once, for the signature and for the wire.
    const body = Buffer.from(deliveryBody(claimed.id, claimed.content));
    const { id, event } = claimed;
    const at = clock.now();
    const headers = deliveryHeaders({ id, event, secret: subscription.secret, at, body });
    return sender.post({ url: subscription.url, headers, body, at, timeoutMs: TIMEOUT_MS });
  }

  /** Writes down how an attempt ended and, while more is due in the data file, claims it in the same write. */
  function settle(tx: Tx, subscriptionId: string, lane: Lane, claimed: Claimed, exchange: Exchange): Claimed[] {
    const { id, attempts } = claimed;
    if (exchange.wasCutOff) {
      deliveries.giveBack(id, tx.now);
      return [];
    }
    deliveries.logAttempt(id, exchange);
    const { status, error, detail } = exchange;
    if (status !== null && status >= 200 && status < 300) {
      deliveries.settleDelivered(id, tx.now);
      noteSuccess(subscriptionId, lane, tx.now);
    } else {
      const waitMs = backoffMs(attempts);
      if (waitMs === null) deliveries.settleDead(id, tx.now);
      else {
        deliveries.retryAt(id, tx.now + waitMs);
        lane.nextDueAt = Math.min(lane.nextDueAt ?? Infinity, tx.now + waitMs);
      }
      const facts = { delivery: id, webhook: subscriptionId, status, error, detail };
      // The first of a row of failures is worth a line; the log must not be full of one receiver that is off.
      if (!lane.isFailing) world.log.warn(facts, "a webhook receiver does not take its deliveries");
      lane.isFailing = true;
      subscriptions.noteFailure(subscriptionId, tx.now, status, error ?? "http_error");
      if (waitMs === null) {
        world.log.warn(facts, "a webhook delivery was given up");
        noteGivenUp(tx, subscriptionId);
      }
    }
    return lane.hasBacklog && lane.queue.length < IN_FLIGHT_EACH ? claimDue(tx, subscriptionId, lane) : [];
  }

  function noteGivenUp(tx: Tx, subscriptionId: string): void {
    const url = subscriptions.get(subscriptionId)?.url;
    const feed = {
      kind: "webhook_dead_lettered",
      level: "bad",
      ...(url !== undefined && { detail: { text: redactUrl(url) } }),
    };
    tx.emit({ kind: "notice", notice: { topics: ["webhooks"], feed: feed as NonNullable<Notice["feed"]> } });
  }

  function noteSuccess(subscriptionId: string, lane: Lane, now: number): void {
    const at = clock.monotonic();
    if (!lane.isFailing && at - lane.notedAt < NOTE_EVERY_MS) return;
    subscriptions.noteSuccess(subscriptionId, now);
    lane.isFailing = false;
    lane.notedAt = at;
  }

  function claimDue(tx: Tx, subscriptionId: string, lane: Lane): Claimed[] {
    if (isPaused || !isStarted || !canDeliver(subscriptions.get(subscriptionId))) return [];
    const claimed = deliveries.claimDue(subscriptionId, tx.now, CLAIM_MANY);
    lane.hasBacklog = claimed.length === CLAIM_MANY;
    lane.nextDueAt = lane.hasBacklog ? null : deliveries.nextDueAt(subscriptionId);
    return claimed.filter(({ id, attempts }) => {
      // Its last attempt was cut short by the end of the hub: it has had them all.
      const isSpent = attempts > MAX_ATTEMPTS;
      if (isSpent) deliveries.settleDead(id, tx.now);
      return !isSpent;
    });
  }

  // --- the drain: retries, leftovers, parking ---

  async function run(): Promise<void> {
    await followClock();
    await takeUpStranded();
    await park();
    if (isUnparkingDue) await unpark();
    for (const subscription of subscriptions.list()) {
      const { id } = subscription;
      const lane = laneOf(id);
      if (!canDeliver(subscription)) {
        // What is left waits for a person.
        lane.nextDueAt = null;
        continue;
      }
      if (isPaused || !isStarted || lane.queue.length >= IN_FLIGHT_EACH) continue;
      lane.nextDueAt = deliveries.nextDueAt(id);
      lane.hasBacklog = lane.nextDueAt !== null && lane.nextDueAt <= clock.now();
      if (lane.hasBacklog) enqueue(id, await changes.write((tx) => claimDue(tx, id, lane)));
    }
    sendQueued();
    cancelDue();
    scheduleDue(Math.min(...[...lanes.values()].map(({ nextDueAt }) => nextDueAt ?? Infinity)));
  }

  async function takeUpStranded(): Promise<void> {
    if (stranded.length === 0) return;
    const ids = [...stranded];
    await changes.write((tx) => ids.forEach((id) => deliveries.retryAt(id, tx.now)));
    stranded = stranded.slice(ids.length);
  }

  /** What waits for a deleted or disabled subscription leaves the queue. */
  async function park(): Promise<void> {
    const silent = subscriptions.list().filter((each) => !each.isEnabled);
    const ids = [...silent.map(({ id }) => id), ...subscriptions.deletedIds()];
    for (const id of ids) {
      const lane = lanes.get(id);
      const queued = lane === undefined ? [] : emptyQueue(id, lane);
      if (queued.length > 0) await giveBack(queued);
      if (lane?.inFlight === 0) lanes.delete(id);
      if (deliveries.nextDueAt(id) === null) continue;
      await writeInSlices(changes, (tx) => deliveries.park(id, tx.now));
    }
  }

  /** What was parked for a subscription that is enabled again comes back into the queue. */
  async function unpark(): Promise<void> {
    isUnparkingDue = false;
    try {
      const enabled = subscriptions.list().filter(({ id, isEnabled }) => isEnabled && deliveries.hasParked(id));
      for (const { id } of enabled) await writeInSlices(changes, (tx) => unparkSlice(tx, id));
    } catch (error) {
      isUnparkingDue = true;
      throw error;
    }
  }

  /** It may have been disabled meanwhile. */
  function unparkSlice(tx: Tx, id: string): number {
    return subscriptions.get(id)?.isEnabled === true ? deliveries.unpark(id, tx.now) : 0;
  }

  async function giveBack(queued: readonly Claimed[]): Promise<void> {
    await changes.write((tx) => queued.forEach(({ id }) => deliveries.giveBack(id, tx.now)));
  }

  /** A wall clock that went back must not make retries wait for the time that was. */
  async function followClock(): Promise<void> {
    const offset = clock.now() - clock.monotonic();
    const hasGoneBack = offset < clockOffset - JUMP_MS;
    clockOffset = offset;
    if (!hasGoneBack) return;
    await changes.write((tx) => {
      for (const { id } of subscriptions.list()) deliveries.pullForward(id, tx.now);
    });
  }

  /** Wakes the drain when the next retry is due, rather than at the next interval after it. */
  function scheduleDue(at: number): void {
    const waitMs = at - clock.now();
    if (!isStarted || isPaused || at >= dueAt || waitMs >= deps.everyMs) return;
    timers.clearTimeout(dueTimer);
    dueAt = at;
    dueTimer = timers.setTimeout(loop.wake, Math.max(1, waitMs));
  }

  function cancelDue(): void {
    timers.clearTimeout(dueTimer);
    dueAt = Infinity;
  }

  return {
    record,
    announce,
    /** Something about subscriptions or deliveries was changed by hand. */
    wake: loop.wake,
    /** A subscription was enabled: what is parked for it waits again. */
    unpark(): void {
      isUnparkingDue = true;
      loop.wake();
    },
    isPaused: (): boolean => isPaused,
    /** Holds all deliveries back, or lets them go again; outlives a restart. */
    async setPaused(paused: boolean): Promise<void> {
      await changes.write((tx) => memory.write(PAUSED, paused, tx.now));
      isPaused = paused;
      await giveBackQueued();
      for (const lane of lanes.values()) lane.hasBacklog = true;
      loop.wake();
    },

    /** What was under way when the hub ended is sent again, under the same id; the clock may have gone back since. */
    async start(): Promise<void> {
      const ids = [...subscriptions.list().map(({ id }) => id), ...subscriptions.deletedIds()];
      const takeUp = (tx: Tx, id: string): void => {
        deliveries.releaseInterrupted(id, tx.now);
        deliveries.pullForward(id, tx.now);
      };
      if (ids.length > 0) await changes.write((tx) => ids.forEach((id) => takeUp(tx, id)));
      isStarted = true;
      loop.start();
    },
    async stop(): Promise<void> {
      isStarted = false;
      settleNow();
      cancelDue();
      await loop.stop();
      await giveBackQueued();
      if (!(await withTimeout(world, STOP_WAIT_MS, Promise.all(settling)))) sender.cutOff();
      await Promise.all(settling);
      sender.stop();
    },
  };
}
