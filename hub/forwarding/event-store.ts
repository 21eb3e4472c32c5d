import type { Recorder } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { createEventHolds } from "./event-holds.ts";
import { createEventQueue } from "./event-queue.ts";
import { createEventReads } from "./event-reads.ts";

export interface ForwardCounts {
  /** All that is not forwarded yet, with those that need attention. */
  pending: number;
  attention: number;
  /** Those among `attention` that a manager set aside until later. */
  setAside: number;
  /** Those that are held until they have their fiscal number; none of them is among `attention`. */
  held: number;
  forwarded: number;
  /** When the oldest event that still waits was queued, ms since 1970. */
  oldestAt: number | null;
}

export const noEvents: ForwardCounts = { pending: 0, attention: 0, setAside: 0, held: 0, forwarded: 0, oldestAt: null };

/** What reports count of work that waits for the back-office or for a manager. */
export interface ReportCounts {
  events(): ForwardCounts;
  openPayments(): number;
  /** Changes under a revoked token that wait for a manager. */
  openChanges(): number;
  openLosses(): number;
  /** Orders whose fiscal number the back-office refused. */
  failedNumbers(): number;
  /** Orders whose electronic receipt a manager has to look at. */
  openReceipts(): number;
}

/** How much of it waits for a manager. */
export function attentionOf(counts: ReportCounts): number {
  const { openPayments, openChanges, openLosses, failedNumbers, openReceipts } = counts;
  const waiting = [openPayments, openChanges, openLosses, failedNumbers, openReceipts];
  return waiting.reduce((all, count) => all + count(), counts.events().attention);
}

export type EventStore = ReturnType<typeof createEventStore>;

/** Hub events on their way to the back-office, in the order in which they were queued. Nothing is ever dropped. */
export function createEventStore(db: Db) {
  const log = createAttemptLog(db);
  return {
    ...createEventQueue(db, log),
    ...createEventHolds(db, log),
    ...createEventReads(db),
    ...createEventCounts(db),
    lastFailure: log.lastFailure,
    attempts: log.ofEvent,
  };
}

function createEventCounts(db: Db) {
  const countWaiting = db.prepare<[], Omit<ForwardCounts, "forwarded">>(`
    SELECT count(*) AS pending, count(*) FILTER (WHERE state = 'attention') AS attention,
      count(*) FILTER (WHERE state = 'attention' AND set_aside_until IS NOT NULL) AS setAside,
      count(*) FILTER (WHERE state = 'pending' AND is_held = 1) AS held, min(created_at) AS oldestAt
    FROM hub_events WHERE forwarded = 0`);
  // A restore leaves a gap in the ids. The table is read as well, so that damage to it is noticed here.
  const countQueued = db.prepare<[], { n: number }>(`
    SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'hub_events'), 0),
        coalesce((SELECT max(id) FROM hub_events), 0))
      - (SELECT coalesce(sum(events_skipped), 0) FROM restores) AS n`);

  return {
    counts(): ForwardCounts {
      const waiting = countWaiting.get() ?? noEvents;
      // Ids are used once and only forwarded events are ever removed: what does not wait was forwarded.
      return { ...waiting, forwarded: (countQueued.get()?.n ?? 0) - waiting.pending };
    },
  };
}

/** The one kind of event that there is. */
export const FINALIZE_EVENT = "hub_finalize";

/** A payment queues its event in the transaction that stores it; it is held while the order lacks its fiscal number. */
export function forwardRecorder(events: EventStore): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.event !== "paid") return;
    const { posReference, version, snapshot } = change.order;
    const lacksNumber = snapshot.fiscal?.status === "pending" || snapshot.fiscal?.status === "failed";
    events.queue(FINALIZE_EVENT, posReference, version, tx.now, lacksNumber);
  };
}
