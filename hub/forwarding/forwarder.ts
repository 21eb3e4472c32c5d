import type { BatchSyncResult, ForwardState, StoredOrder } from "@comanda/protocol";
import { BackOfficeError, type BackOfficeClient, type ForwardEvent } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { createLoop } from "../loop.ts";
import { closeOrder } from "../orders/close-order.ts";
import type { OrderStore } from "../orders/order-store.ts";
import { isoTime, type World } from "../world.ts";
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

export type Forwarder = ReturnType<typeof createForwarder>;

/** After so many refusals of one event an operator has to look at it. */
const MAX_REFUSALS = 10;
const BACKOFF_FACTOR = 1.5;
/** A whole batch that fails this often with an answer may carry an order that breaks the back-office. */
const BATCH_FAILURES_BEFORE_ALONE = 3;
/** Outcomes share a commit, up to so many events and so long; a crash before it has them sent again, as duplicates. */
const STORE_TOGETHER = 500;
const STORE_WITHIN_MS = 50;

/**
 * Hands paid orders to the back-office, in order, batch after batch until the queue is empty. What fails in a batch is
 * tried alone with back-off, so that one bad order holds up nobody; nothing is dropped.
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
  let batchFailures = 0;
  let stopping = false;
  const loop = createLoop(world, "forwarding", intervalMs, drain);

  async function drain(): Promise<void> {
    if (!own.hasCredentials) return;
    try {
      await drainBatches();
      await drainAlone();
    } catch (error) {
      // The rows stay as they are: the next run is the retry.
      if (!(error instanceof BackOfficeError)) throw error;
    }
  }

  /**
   * Sends batch after batch; while one is on its way the outcomes of those before are stored and the next one is read.
   * A back-office that answers faster than the disk gets several batches per commit.
   */
  async function drainBatches(): Promise<void> {
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
      let batch = await nextBatch(0);
      while (batch !== null && !stopping) {
        if (held === 0) sinceFirst = stopwatch();
        const sending = sendBatch(batch);
        // Whoever fails first is awaited below; the other must not count as unhandled.
        sending.catch(() => {});
        await storing;
        const next = await nextBatch(batch.last);
        outcomes.push(await sending);
        held += batch.paid.length;
        if (held >= STORE_TOGETHER || sinceFirst() >= STORE_WITHIN_MS || next === null) {
          storing = store();
          storing.catch(() => {});
        }
        batch = next;
      }
    } finally {
      await storing;
      if (outcomes.length > 0) await store();
    }
  }

  /** The first waiting events after `after`, as the back-office gets them; null when there are none. */
  async function nextBatch(after: number): Promise<Batch | null> {
    for (let start = after; ;) {
      const waiting = events.nextBatch(start, batchSize);
      const last = waiting.at(-1)?.id;
      if (last === undefined) return null;
      const { paid, presented, damaged } = read(waiting);
      if (damaged.length > 0) await changes.write((tx) => damaged.forEach((event) => setAsideDamaged(tx, event)));
      if (paid.length > 0) return { paid, body: client.batchBody(hubId, presented), last };
      start = last;
    }
  }

  /** Sends a batch and answers what is to be stored of its outcome. */
  async function sendBatch({ paid, body }: Batch): Promise<(tx: Tx) => void> {
    const took = stopwatch();
    try {
      const results = await own.use((token) => client.batchSync(token, body));
      batchFailures = 0;
      const byId = new Map(results.map((result) => [String(result.eventId), result]));
      const ms = took();
      return (tx) => {
        for (const each of paid) settle(tx, each, byId.get(String(each.event.id)), ms);
      };
    } catch (error) {
      if (!(error instanceof BackOfficeError) || !isBatchToBlame(error)) throw error;
      batchFailures = 0;
      const { message, errorCode = null } = error;
      const ms = took();
      return (tx) => {
        for (const { event } of paid) events.setAlone(event.id, tx.now, message, errorCode, ms);
      };
    }
  }

  function isBatchToBlame(error: BackOfficeError): boolean {
    if (error.kind === "refused") return true;
    if (!isAboutTheOrders(error)) return false;
    batchFailures += 1;
    return batchFailures >= BATCH_FAILURES_BEFORE_ALONE;
  }

  function settle(tx: Tx, paid: Paid, result: BatchSyncResult | undefined, ms: number): void {
    if (result === undefined) return;
    if (result.status === "failed") {
      events.setAlone(paid.event.id, tx.now, result.error ?? "refused without a word", result.errorCode ?? null, ms);
      return;
    }
    confirm(tx, paid, result, ms);
  }

  function confirm(tx: Tx, { event, order }: Paid, result: BatchSyncResult, ms: number): void {
    const doubt = result.status === "failed" ? null : deps.judge(event.posReference, result.status);
    if (doubt !== null) {
      const failure = { error: doubt, errorCode: "PAID_BEFORE_RESTORE", isRefusal: true, ms };
      events.refused(event.id, tx.now, failure, null);
      showAttention(tx, event, doubt);
      return;
    }
    events.done(event.id, tx.now, result.orderId, result.status, ms);
    closeOrder(orders, tx, order);
  }

  async function drainAlone(): Promise<void> {
    for (let after = 0; !stopping;) {
      const event = events.nextAlone(world.clock.now(), after);
      if (event === null) return;
      after = event.id;
      await tryAlone(event);
    }
  }

  async function tryAlone(event: WaitingEvent): Promise<void> {
    const {
      paid: [paid],
      presented: [presented],
    } = read([event]);
    if (paid === undefined || presented === undefined) {
      await changes.write((tx) => setAsideDamaged(tx, event));
      return;
    }
    const took = stopwatch();
    try {
      const result = await own.use((token) => client.finalize(token, presented));
      if (result.status === "failed") {
        throw new BackOfficeError("refused", result.error ?? "refused", { errorCode: result.errorCode });
      }
      const ms = took();
      await changes.write((tx) => confirm(tx, paid, result, ms));
    } catch (error) {
      if (!(error instanceof BackOfficeError) || !isAboutTheOrders(error)) throw error;
      const ms = took();
      await changes.write((tx) => refuse(tx, event, error, ms));
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
        paid.push({ event, order });
        presented.push(presentEvent(event, order, text));
      } catch (error) {
        world.log.error({ err: error, posReference: event.posReference }, "a paid order cannot be read");
        damaged.push(event);
      }
    }
    return { paid, presented, damaged };
  }

  function setAsideDamaged(tx: Tx, event: WaitingEvent): void {
    const error = "the stored order is damaged; compare it with a backup";
    events.refused(event.id, tx.now, { error, errorCode: null, isRefusal: true, ms: 0 }, null);
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

/** The back-office answered, and not because the hub's own sign-in failed: then what it was sent may be to blame. */
function isAboutTheOrders(error: BackOfficeError): boolean {
  return error.kind === "refused" || (error.kind === "unreachable" && error.answered);
}
