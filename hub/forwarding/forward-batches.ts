import { said, type BatchSyncResult, type LookupOrder } from "@comanda/protocol";
import { BackOfficeError, isAboutTheLine, isRefusal } from "../back-office/back-office-error.ts";
import type { Tx } from "../changes/change.ts";
import { createStopwatch } from "../platform/stopwatch.ts";
import { type BatchFailure, createBatchSize } from "./batch-size.ts";
import { DAMAGED, type ForwardDeps } from "./forward-deps.ts";
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

/** Sends waiting events in batches, each halved while it keeps failing as a whole. */
export function createBatches(deps: ForwardDeps & { hubId: string; batchSize: number }) {
  const { world, changes, events, orders, client, own, outcomes, isStopping, hubId } = deps;
  const size = createBatchSize(deps.batchSize);

  return { drain };

  /**
   * Sends batch after batch. While one is on its way the results of the one before are stored and the next one is read:
   * beside a back-office that takes 100 ms for 200 orders a queue is empty a tenth sooner. Returns whether a batch failed
   * and waits for the next run, and everything behind it as well.
   */
  async function drain(): Promise<boolean> {
    let unstored: Sent | null = null;
    let batch = await nextBatch(0);
    while (batch !== null && !isStopping()) {
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
    const took = createStopwatch(world);
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
    const found = isRefusal(failure) ? new Map<string, LookupOrder>() : await lookUpPaid(client, own, unanswered);
    const left = unanswered.filter(({ event }) => !found.has(event.posReference));
    const isRefused = isRefusal(failure) && !isTooLarge(failure);
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
}

function howFailed(failure: BackOfficeError): BatchFailure {
  if (isTooLarge(failure)) return "too_large";
  return failure.reason === "timeout" ? "hung" : "failed";
}

function isTooLarge({ status }: BackOfficeError): boolean {
  return status === 413;
}
