import { said, type BatchSyncResult, type LookupOrder } from "@comanda/protocol";
import { BackOfficeError, isAboutTheLine } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Tx } from "../changes/change.ts";
import { createLoop } from "../platform/loop.ts";
import { type BatchFailure, createBatchSize } from "./batch-size.ts";
import { createEventOutcomes } from "./event-outcomes.ts";
import type { WaitingEvent } from "./event-store.ts";
import { lookUpPaid, type PaidOrder, readPaidOrders } from "./paid-orders.ts";

/** Events that go to the back-office together. */
interface Batch {
  paid: PaidOrder[];
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

export type Forwarder = ReturnType<typeof createForwarder>;

const DAMAGED = said("order_damaged");

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
  const { world, changes, events, orders, client, own, hubId, intervalMs, batchSize } = deps;
  const outcomes = createEventOutcomes(deps);
  const size = createBatchSize(batchSize);
  let stopping = false;
  const loop = createLoop(world, "forwarding", intervalMs, drain);

  async function drain(): Promise<void> {
    const returnAt = events.nextReturnAt();
    if (returnAt !== null && returnAt <= world.clock.now()) await changes.write((tx) => outcomes.bringBack(tx));
    if (!own.hasCredentials) return;
    try {
      const isPaused = await drainBatches();
      await drainAlone(isPaused);
    } catch (error) {
      // The rows stay as they are: the next run is the retry.
      if (!(error instanceof BackOfficeError)) throw error;
    }
  }

  /**
   * Sends batch after batch. While one is on its way the results of the one before are stored and the next one is read:
   * beside a back-office that takes 100 ms for 200 orders a queue is empty a tenth sooner. Returns whether a batch failed
   * and waits for the next run, and everything behind it as well.
   */
  async function drainBatches(): Promise<boolean> {
    let unstored: Sent | null = null;
    let batch = await nextBatch(0);
    while (batch !== null && !stopping) {
      const ahead: Promise<Batch | null> = storeAndReadAhead(unstored, batch.last);
      // Also when this batch fails, the next run begins once the results before it are stored.
      const [sent, next]: [Sent, Batch | null] = await Promise.all([sendBatch(batch).finally(() => ahead), ahead]);
      unstored = sent;
      if (sent.isWhole && next !== null) {
        batch = next;
        continue;
      }
      // Which events still wait shows once the results are stored.
      await store(unstored);
      unstored = null;
      if (sent.isPaused) return true;
      batch = await nextBatch(0);
    }
    await store(unstored);
    return false;
  }

  /** The batch after the event `after`; null while the size of the next one depends on the one that is on its way. */
  async function storeAndReadAhead(before: Sent | null, after: number): Promise<Batch | null> {
    // The batch leaves first: the back-office works meanwhile.
    await new Promise<void>((resolve) => world.timers.setImmediate(resolve));
    await store(before);
    return size.isFull() ? nextBatch(after) : null;
  }

  async function store(sent: Sent | null): Promise<void> {
    if (sent !== null) await changes.write((tx) => sent.store(tx));
  }

  /** The first waiting events after `after`, as the back-office gets them; null when there are none. */
  async function nextBatch(after: number): Promise<Batch | null> {
    for (let start = after; ;) {
      const waiting = events.nextBatch(start, size.limit());
      const last = waiting.at(-1)?.id;
      if (last === undefined) return null;
      const { paid, presented, damaged } = readPaidOrders(orders, world.log, waiting);
      if (damaged.length > 0) {
        await changes.write((tx) => damaged.forEach((event) => outcomes.setAsideFor(tx, event, DAMAGED, 0)));
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
    let failure = new BackOfficeError("unreachable", said("back_office_no_result"));
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
    const found =
      failure.kind === "refused" ? new Map<string, LookupOrder>() : await lookUpPaid(client, own, unanswered);
    const left = unanswered.filter(({ event }) => !found.has(event.posReference));
    const isRefused = failure.kind === "refused" && !isTooLarge(failure);
    const [first] = left;
    const isDealtWith = first === undefined || isRefused;
    const decision = isDealtWith ? "passed" : size.failed(first.event.id, left.length, howFailed(failure));
    if (decision === "passed") size.passed(paid.length);
    if (decision === "alone") size.passed(left.length);
    const toAlone = isRefused || decision === "alone" ? left : [];
    return {
      store(tx) {
        for (const each of paid) {
          const { id, posReference } = each.event;
          const [result, foundOrder] = [results.get(id), found.get(posReference)];
          if (result !== undefined) outcomes.settle(tx, each.event, result, ms);
          if (foundOrder !== undefined) outcomes.settleFound(tx, each, foundOrder, ms);
        }
        const { said: why, errorCode = null } = failure;
        for (const { event } of toAlone) events.setAlone(event.id, tx.now, why, errorCode, ms);
      },
      isWhole: decision === "passed",
      // An answer that belongs to another request says little: the next attempt has another connection.
      isPaused: decision === "later" && failure.reason !== "mismatched",
    };
  }

  async function drainAlone(areBatchesPaused: boolean): Promise<void> {
    let isPaused = areBatchesPaused;
    for (let after = 0; !stopping;) {
      const event = events.nextAlone(world.clock.now(), after);
      if (event === null) return;
      after = event.id;
      const isAnswered = await attemptAlone(event);
      // It may have taken long: what was paid meanwhile goes first.
      if (!isAnswered && !isPaused) isPaused = await drainBatches();
    }
  }

  /** Sends an event by itself; false when it got no answer. */
  async function attemptAlone(event: WaitingEvent): Promise<boolean> {
    const {
      paid: [paid],
      presented: [presented],
    } = readPaidOrders(orders, world.log, [event]);
    if (paid === undefined || presented === undefined) {
      await changes.write((tx) => outcomes.setAsideFor(tx, event, DAMAGED, 0));
      return true;
    }
    const took = stopwatch();
    try {
      const result = await own.use((token) => client.finalize(token, presented));
      if (result.status === "failed") {
        throw new BackOfficeError("refused", result.error ?? "refused", { errorCode: result.errorCode });
      }
      const ms = took();
      await changes.write((tx) => outcomes.confirm(tx, event, result, ms));
      return true;
    } catch (error) {
      if (!(error instanceof BackOfficeError) || isAboutTheLine(error)) throw error;
      const ms = took();
      const isRefusal = error.kind === "refused";
      const found = isRefusal ? undefined : (await lookUpPaid(client, own, [paid])).get(event.posReference);
      await changes.write((tx) => {
        if (found === undefined) outcomes.refuse(tx, event, error, ms);
        else outcomes.settleFound(tx, paid, found, ms);
      });
      return isRefusal;
    }
  }

  function stopwatch(): () => number {
    const started = world.clock.monotonic();
    return () => Math.round(world.clock.monotonic() - started);
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
    async retry(eventId: number, note: (tx: Tx, posReference: string) => void = () => {}): Promise<boolean> {
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

function howFailed(failure: BackOfficeError): BatchFailure {
  if (isTooLarge(failure)) return "too_large";
  return failure.reason === "timeout" ? "hung" : "failed";
}

function isTooLarge({ status }: BackOfficeError): boolean {
  return status === 413;
}
