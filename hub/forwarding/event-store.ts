import type { Recorder } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { createEventHolds } from "./event-holds.ts";
import { createEventQueue } from "./event-queue.ts";
import { createEventReads } from "./event-reads.ts";

export interface ForwardCounts {
  /** Events that are not forwarded yet, including those that need attention. */
  pending: number;
  attention: number;
  /** Events in `attention` that a manager set aside until later. */
  setAside: number;
  /** Events that wait for their fiscal number. Not included in `attention`. */
  held: number;
  forwarded: number;
  /** When the oldest event in `pending` was queued, ms since 1970; null if there is none. */
  oldestAt: number | null;
}

export const noEvents: ForwardCounts = { pending: 0, attention: 0, setAside: 0, held: 0, forwarded: 0, oldestAt: null };

/** Counts for reports of work that waits for the back-office or for a manager. */
export interface ReportCounts {
  events(): ForwardCounts;
  openPayments(): number;
  /** Changes made under a revoked token that wait for a manager. */
  openChanges(): number;
  openLosses(): number;
  /** Orders whose fiscal number the back-office refused. */
  failedNumbers(): number;
  /** Orders whose electronic receipt a manager must check. */
  openReceipts(): number;
}

/** Counts the items that wait for a manager. */
export function attentionOf(counts: ReportCounts): number {
  const { openPayments, openChanges, openLosses, failedNumbers, openReceipts } = counts;
  const waiting = [openPayments, openChanges, openLosses, failedNumbers, openReceipts];
  return waiting.reduce((all, count) => all + count(), counts.events().attention);
}

export type EventStore = ReturnType<typeof createEventStore>;

/** Stores hub events for the back-office in the order in which they were queued. Events are never dropped. */
export function createEventStore(db: Db) {
  const log = createAttemptLog(db);
  return {
    ...createEventQueue(db, log),
    ...createEventHolds(db, log),
    ...createEventReads(db),
    ...createEventCounts(db),
    lastFailure: log.lastFailure,
    listAttempts: log.listByEvent,
  };
}

function createEventCounts(db: Db) {
  const countWaiting = db.prepare<[], Omit<ForwardCounts, "forwarded">>(`
    SELECT count(*) AS pending, count(*) FILTER (WHERE state = 'attention') AS attention,
      count(*) FILTER (WHERE state = 'attention' AND set_aside_until IS NOT NULL) AS setAside,
      count(*) FILTER (WHERE state = 'pending' AND is_held = 1) AS held, min(created_at) AS oldestAt
    FROM hub_events WHERE forwarded = 0`);
  // A restore leaves a gap in the ids. Also reads the table itself, so that damage to it is noticed here.
  const countQueued = db.prepare<[], { n: number }>(`
    SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'hub_events'), 0),
        coalesce((SELECT max(id) FROM hub_events), 0))
      - (SELECT coalesce(sum(events_skipped), 0) FROM restores) AS n`);

  return {
    counts(): ForwardCounts {
      const waiting = countWaiting.get() ?? noEvents;
      // Ids are never reused and only forwarded events are removed, so all other queued events were forwarded.
      return { ...waiting, forwarded: (countQueued.get()?.n ?? 0) - waiting.pending };
    },
  };
}

/** The only event type. */
export const FINALIZE_EVENT = "hub_finalize";

/** Queues the event of a paid order in the same transaction. The event is held while the fiscal number is missing. */
export function forwardRecorder(events: EventStore): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.event !== "paid") return;
    const { posReference, version, snapshot } = change.order;
    const isNumberMissing = snapshot.fiscal?.status === "pending" || snapshot.fiscal?.status === "failed";
    events.queue(FINALIZE_EVENT, posReference, version, tx.now, isNumberMissing);
  };
}
