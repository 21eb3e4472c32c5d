import type { Recorder, Tx } from "../changes/change.ts";
import type { Total } from "../db/rows/count-up-to.ts";
import type { Said } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { readSaidOrNull, saidColumn } from "../db/rows/said-column.ts";
import { countEvents, type EventFilter, findEvents } from "./find-events.ts";

/** The longest wait between two attempts of one event; one that would wait longer was stamped before the clock was put back. */
export const BACKOFF_MAX_MS = 60_000;

export interface WaitingEvent {
  id: number;
  type: string;
  posReference: string;
  version: number;
  createdAt: number;
  refusals: number;
  attempts: number;
}

export interface EventRow extends WaitingEvent {
  state: "pending" | "done" | "attention";
  nextAttemptAt: number | null;
  forwardedAt: number | null;
  error: Said | null;
  errorCode: string | null;
  /** Why a manager set it aside. */
  note: string | null;
  /** When one that was set aside asks for a decision again, ms since 1970; null for one that already does. */
  setAsideUntil: number | null;
  backOfficeOrderId: string | null;
}

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

export const noEvents: ForwardCounts = { pending: 0, attention: 0, setAside: 0, held: 0, forwarded: 0, oldestAt: null };

/** One attempt to forward an event, or a manager's decision to stop; `ms` is how long the back-office took. */
export interface ForwardAttempt {
  at: number;
  outcome: "finalized" | "duplicate" | "failed" | "refused" | "set_aside";
  /** Why it failed, or a manager's words. */
  detail: Said | null;
  errorCode: string | null;
  ms: number;
}

interface StoredEvent extends Omit<EventRow, "error"> {
  error: string | null;
}

interface StoredAttempt extends Omit<ForwardAttempt, "detail"> {
  detail: string | null;
}

export type EventStore = ReturnType<typeof createEventStore>;

const COLUMNS = "id, type, pos_reference AS posReference, version, created_at AS createdAt, refusals, attempts";
const ALL_COLUMNS = `${COLUMNS}, state, next_attempt_at AS nextAttemptAt, forwarded_at AS forwardedAt, error,
  error_code AS errorCode, note, set_aside_until AS setAsideUntil, back_office_order_id AS backOfficeOrderId`;

/** Hub events on their way to the back-office, in the order in which they were queued. Nothing is ever dropped. */
export function createEventStore(db: Db) {
  const insert = db.prepare<{ type: string; posReference: string; version: number; at: number; isHeld: 0 | 1 }>(`
    INSERT INTO hub_events (type, pos_reference, version, created_at, is_held)
    VALUES (@type, @posReference, @version, @at, @isHeld)`);
  const batch = db.prepare<{ after: number; limit: number }, WaitingEvent>(`
    SELECT ${COLUMNS} FROM hub_events
    WHERE forwarded = 0 AND state = 'pending' AND is_held = 0 AND is_alone = 0 AND id > @after ORDER BY id LIMIT @limit`);
  const alone = db.prepare<{ now: number; after: number }, WaitingEvent>(`
    SELECT ${COLUMNS} FROM hub_events
    WHERE forwarded = 0 AND state = 'pending' AND is_held = 0 AND is_alone = 1 AND id > @after
      AND (coalesce(next_attempt_at, 0) <= @now OR next_attempt_at > @now + ${BACKOFF_MAX_MS})
    ORDER BY id LIMIT 1`);
  // The attempt that succeeds is stored in the event's own row: nearly all events have no other.
  const setDone = db.prepare<{ id: number; at: number; orderId: string | null; outcome: string; ms: number }>(`
    UPDATE hub_events SET state = 'done', forwarded = 1, forwarded_at = @at, attempts = attempts + 1, error = NULL,
      error_code = NULL, note = NULL, next_attempt_at = NULL, back_office_order_id = @orderId, set_aside_until = NULL,
      done_outcome = @outcome, done_ms = @ms
    WHERE id = @id`);
  const setAlone = db.prepare<{ id: number; error: string; errorCode: string | null }>(`
    UPDATE hub_events SET is_alone = 1, attempts = attempts + 1, error = @error, error_code = @errorCode WHERE id = @id`);
  const setRefused = db.prepare<{
    id: number;
    error: string;
    errorCode: string | null;
    nextAttemptAt: number | null;
    state: string;
    isRefusal: number;
  }>(`
    UPDATE hub_events SET attempts = attempts + 1, refusals = refusals + @isRefusal, error = @error,
      error_code = @errorCode,
      -- A manager may have set it aside while it was being tried: that stands.
      next_attempt_at = CASE WHEN note IS NULL THEN @nextAttemptAt END,
      state = CASE WHEN note IS NULL THEN @state ELSE state END
    WHERE id = @id`);
  const setRetry = db.prepare<[number]>(`
    UPDATE hub_events SET state = 'pending', refusals = 0, next_attempt_at = NULL, is_alone = 1, note = NULL,
      set_aside_until = NULL
    WHERE id = ? AND forwarded = 0`);
  const refusedForNumber = db.prepare<[], StoredEvent>(`
    SELECT ${ALL_COLUMNS} FROM hub_events
    WHERE forwarded = 0 AND state = 'attention' AND substr(error_code, 1, 4) = 'NCF_' ORDER BY id`);
  const hold = db.prepare<[string]>(`
    UPDATE hub_events SET state = 'pending', refusals = 0, next_attempt_at = NULL, note = NULL, set_aside_until = NULL,
      is_held = 1
    WHERE pos_reference = ? AND forwarded = 0`);
  const letGo = db.prepare<{ posReference: string; version: number }>(`
    UPDATE hub_events SET is_held = 0, version = @version
    WHERE pos_reference = @posReference AND forwarded = 0`);
  const setAside = db.prepare<{ id: number; note: string; until: number | null }>(`
    UPDATE hub_events SET state = 'attention', next_attempt_at = NULL, is_alone = 1, note = @note,
      set_aside_until = @until
    WHERE id = @id AND forwarded = 0`);
  const bringBack = db.prepare<{ now: number }, { id: number; posReference: string }>(`
    UPDATE hub_events SET set_aside_until = NULL
    WHERE forwarded = 0 AND state = 'attention' AND set_aside_until <= @now
    RETURNING id, pos_reference AS posReference`);
  const nextReturn = db.prepare<[], { at: number | null }>(
    "SELECT min(set_aside_until) AS at FROM hub_events WHERE forwarded = 0 AND state = 'attention'",
  );
  const countWaiting = db.prepare<[], Omit<ForwardCounts, "forwarded">>(`
    SELECT count(*) AS pending, count(*) FILTER (WHERE state = 'attention') AS attention,
      count(*) FILTER (WHERE state = 'attention' AND set_aside_until IS NOT NULL) AS setAside,
      count(*) FILTER (WHERE state = 'pending' AND is_held = 1) AS held, min(created_at) AS oldestAt
    FROM hub_events WHERE forwarded = 0`);
  const oldestPending = db.prepare<[], { at: number | null }>(
    "SELECT min(created_at) AS at FROM hub_events WHERE forwarded = 0 AND state = 'pending'",
  );
  const ofState = db.prepare<[string], StoredEvent>(`
    SELECT ${ALL_COLUMNS} FROM hub_events WHERE forwarded = 0 AND state = ? ORDER BY id`);
  const pendingUpTo = db.prepare<[number], { n: number }>(
    "SELECT count(*) AS n FROM hub_events WHERE forwarded = 0 AND state = 'pending' AND id <= ?",
  );
  const newestId = db.prepare<[], { id: number | null }>("SELECT max(id) AS id FROM hub_events");
  const nextAttempt = db.prepare<[], { at: number | null }>(
    "SELECT min(next_attempt_at) AS at FROM hub_events WHERE forwarded = 0 AND state = 'pending'",
  );
  const lastFailure = db.prepare<[], { at: number; detail: string | null }>(`
    SELECT at, detail FROM forward_attempts WHERE outcome IN ('failed', 'refused') ORDER BY id DESC LIMIT 1`);
  // A restore leaves a gap in the ids. The table is read as well, so that damage to it is noticed here.
  const countQueued = db.prepare<[], { n: number }>(`
    SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'hub_events'), 0),
        coalesce((SELECT max(id) FROM hub_events), 0))
      - (SELECT coalesce(sum(events_skipped), 0) FROM restores) AS n`);
  const insertAttempt = db.prepare<Omit<StoredAttempt, "outcome"> & { eventId: number; outcome: string }>(`
    INSERT INTO forward_attempts (event_id, at, outcome, detail, error_code, ms)
    VALUES (@eventId, @at, @outcome, @detail, @errorCode, @ms)`);
  const get = db.prepare<[number], StoredEvent>(`SELECT ${ALL_COLUMNS} FROM hub_events WHERE id = ?`);
  const ofOrder = db.prepare<[string], StoredEvent>(
    `SELECT ${ALL_COLUMNS} FROM hub_events WHERE pos_reference = ? ORDER BY id`,
  );
  const attemptsOf = db.prepare<{ id: number }, StoredAttempt>(`
    SELECT at, outcome, detail, errorCode, ms FROM (
      SELECT id, at, outcome, detail, error_code AS errorCode, ms, 0 AS is_last FROM forward_attempts WHERE event_id = @id
      UNION ALL
      SELECT id, forwarded_at, done_outcome, NULL, NULL, done_ms, 1 FROM hub_events WHERE id = @id AND forwarded = 1)
    ORDER BY is_last, id`);

  return {
    /** `isHeld`: it waits until it is let go. */
    queue: (type: string, posReference: string, version: number, at: number, isHeld = false): void =>
      void insert.run({ type, posReference, version, at, isHeld: isHeld ? 1 : 0 }),
    /** Those that were refused for their fiscal number, by the code of the refusal. */
    refusedForNumber: (): EventRow[] => refusedForNumber.all().map(readEvent),
    /** The order waits, whatever was decided before, until it is let go. */
    hold: (_tx: Tx, posReference: string): void => void hold.run(posReference),
    /** The order may be forwarded from now on, as it stands at `version`. */
    letGo: (_tx: Tx, posReference: string, version: number): void => void letGo.run({ posReference, version }),
    nextBatch: (after: number, limit: number): WaitingEvent[] => batch.all({ after, limit }),
    /** The first event after `after` that has to be sent alone and is due. */
    nextAlone: (now: number, after: number): WaitingEvent | null => alone.get({ now, after }) ?? null,

    done(id: number, at: number, orderId: number | undefined, outcome: string, ms: number): void {
      setDone.run({ id, at, orderId: orderId === undefined ? null : String(orderId), outcome, ms });
    },
    /** Failed in a batch: from now on it is sent alone. */
    setAlone(id: number, at: number, why: Said, errorCode: string | null, ms: number): void {
      const error = saidColumn(why);
      setAlone.run({ id, error, errorCode });
      insertAttempt.run({ eventId: id, at, outcome: "failed", detail: error, errorCode, ms });
    },
    /** Failed alone: waits until `nextAttemptAt`, or for the operator when that is null. */
    refused(
      id: number,
      at: number,
      failure: { error: Said; errorCode: string | null; isRefusal: boolean; ms: number },
      nextAttemptAt: number | null,
    ): void {
      const { errorCode, ms } = failure;
      const error = saidColumn(failure.error);
      const state = nextAttemptAt === null ? "attention" : "pending";
      setRefused.run({ id, error, errorCode, nextAttemptAt, state, isRefusal: failure.isRefusal ? 1 : 0 });
      const outcome = failure.isRefusal ? "refused" : "failed";
      insertAttempt.run({ eventId: id, at, outcome, detail: error, errorCode, ms });
    },
    /**
     * Stops the attempts until the operator decides otherwise. With `until` (ms since 1970) it asks for that decision
     * from then on, otherwise at once. False when the event is unknown or done.
     */
    setAside(id: number, at: number, note: string, until: number | null): boolean {
      if (setAside.run({ id, note, until }).changes !== 1) return false;
      insertAttempt.run({
        eventId: id,
        at,
        outcome: "set_aside",
        detail: saidColumn({ words: note }),
        errorCode: null,
        ms: 0,
      });
      return true;
    },
    /** Those set aside whose time has come ask for a decision again; returns them. */
    bringBack: (now: number): { id: number; posReference: string }[] => bringBack.all({ now }),
    /** When the first of those set aside asks for a decision again, ms since 1970. */
    nextReturnAt: (): number | null => nextReturn.get()?.at ?? null,
    /** At the operator's request; false when the event is unknown or done. */
    retry: (id: number): boolean => setRetry.run(id).changes === 1,

    counts(): ForwardCounts {
      const waiting = countWaiting.get() ?? noEvents;
      // Ids are used once and only forwarded events are ever removed: what does not wait was forwarded.
      return { ...waiting, forwarded: (countQueued.get()?.n ?? 0) - waiting.pending };
    },
    get(id: number): EventRow | null {
      const row = get.get(id);
      return row === undefined ? null : readEvent(row);
    },
    /** When the oldest pending event was queued, ms since 1970. */
    oldestPendingAt: (): number | null => oldestPending.get()?.at ?? null,
    /** How many pending events are not newer than this one. */
    pendingUpTo: (id: number): number => pendingUpTo.get(id)?.n ?? 0,
    /** The id of the newest event; 0 without one. */
    newestId: (): number => newestId.get()?.id ?? 0,
    nextAttemptAt: (): number | null => nextAttempt.get()?.at ?? null,
    lastFailure(): { at: number; detail: Said } | null {
      const row = lastFailure.get();
      return row === undefined ? null : { at: row.at, detail: readSaidOrNull(row.detail) ?? {} };
    },
    /** Not yet forwarded events in a state, in order. */
    inState: (state: "pending" | "attention"): EventRow[] => ofState.all(state).map(readEvent),
    /** A page of events beyond the id `from`: those that wait oldest first, everything else newest first. */
    page: (filter: EventFilter, from: number | null, limit: number): EventRow[] =>
      findEvents(db, filter, from, limit).flatMap((id) => {
        const row = get.get(id);
        return row === undefined ? [] : [readEvent(row)];
      }),
    count: (filter: EventFilter): Total => countEvents(db, filter),
    ofOrder: (posReference: string): EventRow[] => ofOrder.all(posReference).map(readEvent),
    /** The attempts of an event, in order. */
    attempts: (id: number): ForwardAttempt[] =>
      attemptsOf.all({ id }).map((row) => ({ ...row, detail: readSaidOrNull(row.detail) })),
  };
}

function readEvent(row: StoredEvent): EventRow {
  return { ...row, error: readSaidOrNull(row.error) };
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
