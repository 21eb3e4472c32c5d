import type { Sentence } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { sentenceColumn } from "../db/rows/sentence-column.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { COLUMNS, type WaitingEvent } from "./event-rows.ts";

/** The longest wait between two attempts. If the remaining wait is longer, the clock was set back, and the event is due. */
export const BACKOFF_MAX_MS = 60_000;

/** Finds the next events to send, and stores the results of attempts. */
export function createEventQueue(db: Db, log: AttemptLog) {
  const insert = db.prepare<{ type: string; posReference: string; version: number; at: number; isHeld: 0 | 1 }>(`
    INSERT INTO hub_events (type, pos_reference, version, created_at, is_held)
    VALUES (@type, @posReference, @version, @at, @isHeld)`);
  const batch = db.prepare<{ after: number; limit: number }, WaitingEvent>(`
    SELECT ${COLUMNS} FROM hub_events
    WHERE forwarded = 0 AND state = 'pending' AND is_held = 0 AND is_alone = 0 AND id > @after ORDER BY id LIMIT @limit`);
  const nextAlone = db.prepare<{ now: number; after: number }, WaitingEvent>(`
    SELECT ${COLUMNS} FROM hub_events
    WHERE forwarded = 0 AND state = 'pending' AND is_held = 0 AND is_alone = 1 AND id > @after
      AND (coalesce(next_attempt_at, 0) <= @now OR next_attempt_at > @now + ${BACKOFF_MAX_MS})
    ORDER BY id LIMIT 1`);
  // The successful attempt is stored in the row of the event, since nearly all events have no other attempt.
  const setDone = db.prepare<{ id: number; at: number; outcome: string; ms: number }>(`
    UPDATE hub_events SET state = 'done', forwarded = 1, forwarded_at = @at, attempts = attempts + 1, error = NULL,
      error_code = NULL, note = NULL, next_attempt_at = NULL, set_aside_until = NULL,
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
      -- A manager may have set the event aside during the attempt; that decision stays.
      next_attempt_at = CASE WHEN note IS NULL THEN @nextAttemptAt END,
      state = CASE WHEN note IS NULL THEN @state ELSE state END
    WHERE id = @id`);
  const nextAttempt = db.prepare<[], { at: number | null }>(
    "SELECT min(next_attempt_at) AS at FROM hub_events WHERE forwarded = 0 AND state = 'pending'",
  );

  return {
    /** Queues an event. With `isHeld` it waits until `letGo`. */
    queue: (type: string, posReference: string, version: number, at: number, isHeld = false): void =>
      void insert.run({ type, posReference, version, at, isHeld: isHeld ? 1 : 0 }),
    nextBatch: (after: number, limit: number): WaitingEvent[] => batch.all({ after, limit }),
    /** The first event after id `after` that must be sent alone and is due. */
    nextAlone: (now: number, after: number): WaitingEvent | null => nextAlone.get({ now, after }) ?? null,
    nextAttemptAt: (): number | null => nextAttempt.get()?.at ?? null,

    done: (id: number, at: number, outcome: string, ms: number): void => void setDone.run({ id, at, outcome, ms }),
    /** Records that an event failed in a batch, so that it is sent alone from now on. */
    setAlone(id: number, at: number, reason: Sentence, errorCode: string | null, ms: number): void {
      const error = sentenceColumn(reason);
      setAlone.run({ id, error, errorCode });
      log.add({ eventId: id, at, outcome: "failed", detail: error, errorCode, ms });
    },
    /** Records that an event failed alone. It waits until `nextAttemptAt`, or for the operator if that is null. */
    refused(
      id: number,
      at: number,
      failure: { error: Sentence; errorCode: string | null; isRefusal: boolean; ms: number },
      nextAttemptAt: number | null,
    ): void {
      const { errorCode, ms } = failure;
      const error = sentenceColumn(failure.error);
      const state = nextAttemptAt === null ? "attention" : "pending";
      setRefused.run({ id, error, errorCode, nextAttemptAt, state, isRefusal: failure.isRefusal ? 1 : 0 });
      const outcome = failure.isRefusal ? "refused" : "failed";
      log.add({ eventId: id, at, outcome, detail: error, errorCode, ms });
    },
  };
}
