import type { BatchSyncResult, ForwardState, LookupOrder, StoredOrder } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { ForwardEvent } from "../back-office/pos-calls.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { createLoop } from "../platform/loop.ts";
import { toCents } from "../platform/money.ts";
import { closeOrder } from "../orders/close-order.ts";
import type { OrderStore } from "../orders/order-store.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createBatchSize, type BatchFailure } from "./batch-size.ts";
import { BACKOFF_MAX_MS, type EventStore, type WaitingEvent } from "./event-store.ts";
import { presentEvent } from "./present-event.ts";

/** An event with the order as it was paid. */
interface Paid {
  event: WaitingEvent;
  order: StoredOrder;
}

/** Events that go to the back-office together. */
interface Batch {
  paid: Paid[];
  /** As they are sent. */
  body: Buffer;
  /** The id of the last one. */
  last: number;
}

/** What came of a batch. */
interface Sent {
  store: (tx: Tx) => void;
  /** Every event of it is dealt with; otherwise the rest goes out again, at once or, with `isPaused`, in the next run. */
  isWhole: boolean;
  isPaused: boolean;
}

/** One run through the queue. */
interface Run {
  /** A batch failed and is tried again in the next run; everything behind it waits as well. */
  isPaused: boolean;
}

export type Forwarder = ReturnType<typeof createForwarder>;

/** After so many refusals of one event an operator has to look at it. */
const MAX_REFUSALS = 10;
const BACKOFF_FACTOR = 1.5;
/** Looking orders up only spares sending them again: it is not worth a longer wait. */
const LOOKUP_WAIT_MS = 5_000;
const DAMAGED = "the stored order is damaged; compare it with a backup";
/** Outcomes share a commit, up to so many events and so long; a crash before it has them sent again, as duplicates. */
const STORE_TOGETHER = 500;
const STORE_WITHIN_MS = 50;

/**
 * Hands paid orders to the back-office, in order, batch after batch until the queue is empty. What fails in a batch is
 * tried alone with back-off, so that one bad order holds up nobody; nothing is dropped. A batch that fails as a whole,
 * while the back-office answers otherwise, is halved until the order to blame is found.
 */
export function createForwarder(deps: {
  world: World;
  changes: ChangeLog;
  events: EventStore;
  orders: OrderStore;
  client: BackOfficeClient;
  own: OwnSession;
  hubId: string;
  intervalMs: number;
  batchSize: number;
  /** Why the back-office's yes must not be believed before a manager has looked, in words; null when it may. */
  judge(posReference: string, status: "finalized" | "duplicate"): string | null;
}) {
  const { world, changes, events, orders, client, own, hubId, intervalMs, batchSize } = deps;
  const size = createBatchSize(batchSize);
  let stopping = false;
  const loop = createLoop(world, "forwarding", intervalMs, drain);

  async function drain(): Promise<void> {
    if (!own.hasCredentials) return;
    const run: Run = { isPaused: false };
    try {
      await drainBatches(run);
      await drainAlone(run);
    } catch (error) {
      // The rows stay as they are: the next run is the retry.
      if (!(error instanceof BackOfficeError)) throw error;
    }
  }

  /**
   * Sends batch after batch; while one is on its way the outcomes of those before are stored and the next one is read.
   * A back-office that answers faster than the disk gets several batches per commit.
   */
  async function drainBatches(run: Run): Promise<void> {
    let storing = Promise.resolve();
    let outcomes: ((tx: Tx) => void)[] = [];
    let held = 0;
    let sinceFirst = stopwatch();
    const store = (): Promise<void> => {
      const gathered = outcomes;
      outcomes = [];
      held = 0;
      return changes.write((tx) => gathered.forEach((outcome) => outcome(tx)));
    };
    try {
      let batch = run.isPaused ? null : await nextBatch(0);
      while (batch !== null && !stopping) {
        if (held === 0) sinceFirst = stopwatch();
        const sending = sendBatch(batch);
        // Whoever fails first is awaited below; the other must not count as unhandled.
        sending.catch(() => {});
        await storing;
        // The size of the next batch depends on this outcome unless it is full: nothing is read ahead then.
        const next = size.isFull() ? await nextBatch(batch.last) : null;
        const sent = await sending;
        outcomes.push(sent.store);
        held += batch.paid.length;
        const isInStep = sent.isWhole && next !== null;
        if (held >= STORE_TOGETHER || sinceFirst() >= STORE_WITHIN_MS || !isInStep) {
          storing = store();
          storing.catch(() => {});
        }
        run.isPaused = sent.isPaused;
        if (isInStep) {
          batch = next;
        } else {
          // Which events still wait shows once the outcomes are stored.
          await storing;
          batch = run.isPaused ? null : await nextBatch(0);
        }
      }
    } finally {
      await storing;
      if (outcomes.length > 0) await store();
    }
  }

  /** The first waiting events after `after`, as the back-office gets them; null when there are none. */
  async function nextBatch(after: number): Promise<Batch | null> {
    for (let start = after; ;) {
      const waiting = events.nextBatch(start, size.limit());
      const last = waiting.at(-1)?.id;
      if (last === undefined) return null;
      const { paid, presented, damaged } = read(waiting);
      if (damaged.length > 0) {
        await changes.write((tx) => damaged.forEach((event) => setAsideFor(tx, event, DAMAGED, 0)));
      }
      if (paid.length > 0) {
        const { body, count } = client.batchBody(hubId, presented);
        const fitting = paid.slice(0, count);
        return { paid: fitting, body, last: fitting.at(-1)?.event.id ?? last };
      }
      start = last;
    }
  }

  /** Sends a batch. Throws when the line or the hub's own sign-in failed: then nothing is held against any order. */
  async function sendBatch({ paid, body }: Batch): Promise<Sent> {
    const took = stopwatch();
    let results = new Map<number, BatchSyncResult>();
    let failure = new BackOfficeError("unreachable", "the back-office gave no result for this order");
    try {
      const eventIds = paid.map(({ event }) => event.id);
      results = await own.use((token) => client.batchSync(token, body, eventIds));
    } catch (error) {
      if (!(error instanceof BackOfficeError) || isAboutTheLine(error)) throw error;
      failure = error;
    }
    const ms = took();
    const unanswered = paid.filter(({ event }) => !results.has(event.id));
    // A refusal, for its size too, says that nothing was carried out.
    const found = failure.kind === "refused" ? new Map<string, LookupOrder>() : await lookUp(unanswered);
    const left = unanswered.filter(({ event }) => !found.has(event.posReference));

    const isRefused = failure.kind === "refused" && !isTooLarge(failure);
    const [first] = left;
    const isDealtWith = first === undefined || isRefused;
    const decision = isDealtWith ? "passed" : size.failed(first.event.id, left.length, howFailed(failure));
    if (decision === "passed") size.passed(paid.length);
    if (decision === "alone") size.passed(left.length);
    const toAlone = isRefused || decision === "alone" ? left : [];
    return {
      store: (tx) => {
        for (const each of paid) {
          settle(tx, each, results.get(each.event.id), ms);
          settleFound(tx, each, found.get(each.event.posReference), ms);
        }
        const { message, errorCode = null } = failure;
        for (const { event } of toAlone) events.setAlone(event.id, tx.now, message, errorCode, ms);
      },
      isWhole: decision === "passed",
      // An answer that belongs to another request says little: the next attempt has another connection.
      isPaused: decision === "later" && failure.reason !== "mismatched",
    };
  }

  /**
   * The paid orders that the back-office has among those whose outcome is unknown, by reference; none where it cannot be
   * asked. Throws when the back-office cannot be reached at all.
   */
  async function lookUp(paid: readonly Paid[]): Promise<Map<string, LookupOrder>> {
    if (paid.length === 0) return new Map();
    const posReferences = paid.map(({ event }) => event.posReference);
    let orders: LookupOrder[] | null = null;
    try {
      orders = await own.use((token) => client.lookup(token, posReferences, LOOKUP_WAIT_MS));
    } catch (error) {
      if (!(error instanceof BackOfficeError) || isAboutTheLine(error)) throw error;
    }
    // No help: a harmless call shows whether the back-office can be reached at all.
    if (orders === null) await own.use((token) => client.bootstrap(token));
    return new Map(orders?.flatMap((order) => (order.status === "paid" ? [[order.posReference, order]] : [])));
  }

  function settle(tx: Tx, paid: Paid, result: BatchSyncResult | undefined, ms: number): void {
    if (result === undefined) return;
    if (result.status === "failed") {
      events.setAlone(paid.event.id, tx.now, result.error ?? "refused without a word", result.errorCode ?? null, ms);
      return;
    }
    confirm(tx, paid, result, ms);
  }

  /** An order that the back-office has is done if the totals agree, else a person has to compare. */
  function settleFound(tx: Tx, paid: Paid, found: LookupOrder | undefined, ms: number): void {
    if (found === undefined) return;
    const { event, order } = paid;
    const ours = order.snapshot.totals.total;
    if (toCents(found.total) === toCents(ours)) {
      // Finalized under this very event: then it is no repeat of what was paid before.
      const status = String(found.eventId) === String(event.id) ? "finalized" : "duplicate";
      confirm(tx, paid, { eventId: event.id, status, orderId: found.orderId }, ms);
      return;
    }
    const [there, here] = [found.total.toFixed(2), ours.toFixed(2)];
    setAsideFor(tx, event, `the back-office has this order with a total of ${there}, but ${here} was paid here`, ms);
  }

  function confirm(tx: Tx, { event, order }: Paid, result: BatchSyncResult, ms: number): void {
    const doubt = result.status === "failed" ? null : deps.judge(event.posReference, result.status);
    if (doubt !== null) {
      setAsideFor(tx, event, doubt, ms, "PAID_BEFORE_RESTORE");
      return;
    }
    events.done(event.id, tx.now, result.orderId, result.status, ms);
    closeOrder(orders, tx, order);
  }

  async function drainAlone(run: Run): Promise<void> {
    for (let after = 0; !stopping;) {
      const event = events.nextAlone(world.clock.now(), after);
      if (event === null) return;
      after = event.id;
      const isAnswered = await attemptAlone(event);
      // It may have taken long: what was paid meanwhile goes first.
      if (!isAnswered) await drainBatches(run);
    }
  }

  /** Sends an event by itself; false when it got no answer. */
  async function attemptAlone(event: WaitingEvent): Promise<boolean> {
    const {
      paid: [paid],
      presented: [presented],
    } = read([event]);
    if (paid === undefined || presented === undefined) {
      await changes.write((tx) => setAsideFor(tx, event, DAMAGED, 0));
      return true;
    }
    const took = stopwatch();
    try {
      const result = await own.use((token) => client.finalize(token, presented));
      if (result.status === "failed") {
        throw new BackOfficeError("refused", result.error ?? "refused", { errorCode: result.errorCode });
      }
      const ms = took();
      await changes.write((tx) => confirm(tx, paid, result, ms));
      return true;
    } catch (error) {
      if (!(error instanceof BackOfficeError) || isAboutTheLine(error)) throw error;
      const ms = took();
      const isRefusal = error.kind === "refused";
      const found = isRefusal ? undefined : (await lookUp([paid])).get(event.posReference);
      await changes.write((tx) => {
        if (found === undefined) refuse(tx, event, error, ms);
        else settleFound(tx, paid, found, ms);
      });
      return isRefusal;
    }
  }

  function refuse(tx: Tx, event: WaitingEvent, failure: BackOfficeError, ms: number): void {
    const isRefusal = failure.kind === "refused";
    const refusals = event.refusals + (isRefusal ? 1 : 0);
    const waitMs = Math.min(BACKOFF_MAX_MS, intervalMs * BACKOFF_FACTOR ** event.attempts);
    const nextAttemptAt = refusals >= MAX_REFUSALS ? null : tx.now + Math.round(waitMs);
    const error = failure.message;
    events.refused(event.id, tx.now, { error, errorCode: failure.errorCode ?? null, isRefusal, ms }, nextAttemptAt);
    if (nextAttemptAt === null) showAttention(tx, event, error);
  }

  function showAttention(tx: Tx, event: WaitingEvent, error: string): void {
    const { posReference } = event;
    world.log.error({ posReference, reason: error }, "a paid order needs attention");
    const feed = { kind: "forward_attention", level: "bad", detail: { posReference, text: error } } as const;
    tx.emit({ kind: "notice", notice: { topics: ["forward"], feed } });
    setForwardState(tx, posReference, { state: "attention", at: isoTime(tx.now), error });
  }

  function setForwardState(tx: Tx, posReference: string, forward: ForwardState): void {
    const change = orders.saveForward(tx, posReference, forward);
    if (change !== null) tx.emit(change);
  }

  function read(batch: WaitingEvent[]): { paid: Paid[]; presented: ForwardEvent[]; damaged: WaitingEvent[] } {
    const paid: Paid[] = [];
    const presented: ForwardEvent[] = [];
    const damaged: WaitingEvent[] = [];
    for (const event of batch) {
      try {
        const stored = orders.versionText(event.posReference, event.version);
        if (stored === null) throw new Error("the stored order is missing");
        const { order, text } = stored;
        // First, since an order without content cannot be presented.
        presented.push(presentEvent(event, order, text));
        paid.push({ event, order });
      } catch (error) {
        world.log.error({ err: error, posReference: event.posReference }, "a paid order cannot be read");
        damaged.push(event);
      }
    }
    return { paid, presented, damaged };
  }

  /** Another attempt would not help: an operator has to look at it. */
  function setAsideFor(tx: Tx, event: WaitingEvent, error: string, ms: number, errorCode: string | null = null): void {
    events.refused(event.id, tx.now, { error, errorCode, isRefusal: true, ms }, null);
    showAttention(tx, event, error);
  }

  function stopwatch(): () => number {
    const started = world.clock.monotonic();
    return () => Math.round(world.clock.monotonic() - started);
  }

  return {
    start: loop.start,
    /** New work has come, or the back-office is back. */
    wake: loop.wake,
    /** Tries everything that is due and resolves when that is done. */
    drainNow: loop.runNow,
    async stop(): Promise<void> {
      stopping = true;
      await loop.stop();
    },
    /** Tries an event again on the operator's word, noted down by `note`; false when it is unknown or done. */
    async retry(eventId: number, note: (tx: Tx, posReference: string) => void = () => {}): Promise<boolean> {
      const retried = await changes.write((tx) => {
        const event = events.get(eventId);
        if (event === null || !events.retry(eventId)) return false;
        setForwardState(tx, event.posReference, { state: "pending" });
        note(tx, event.posReference);
        return true;
      });
      if (retried) loop.wake();
      return retried;
    },
    /** Stops trying an event until a manager says otherwise; false when it is unknown or done. Inside the caller's write. */
    setAside(tx: Tx, eventId: number, reason: string): boolean {
      const event = events.get(eventId);
      if (event === null || !events.setAside(eventId, tx.now, reason)) return false;
      setForwardState(tx, event.posReference, { state: "attention", at: isoTime(tx.now), error: reason });
      return true;
    },
  };
}

function howFailed(failure: BackOfficeError): BatchFailure {
  if (isTooLarge(failure)) return "too_large";
  return failure.reason === "timeout" ? "hung" : "failed";
}

function isTooLarge({ status }: BackOfficeError): boolean {
  return status === 413;
}

/** Nothing was sent, or the hub's own sign-in failed: no order is to blame. */
function isAboutTheLine({ kind, reason }: BackOfficeError): boolean {
  return kind === "login_refused" || kind === "session_dead" || reason === "no_connection";
}
