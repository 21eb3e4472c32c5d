import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { sentenceColumn } from "../db/rows/sentence-column.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { ALL_COLUMNS, type EventRow, readEvent, type StoredEvent } from "./event-rows.ts";

/** Takes events out of the queue and puts them back: for a missing fiscal number, or by decision of a manager. */
export function createEventHolds(db: Db, log: AttemptLog) {
  const setRetry = db.prepare<[number]>(`
    UPDATE hub_events SET state = 'pending', refusals = 0, next_attempt_at = NULL, is_alone = 1, note = NULL,
      set_aside_until = NULL
    WHERE id = ? AND forwarded = 0`);
  const listRefusedForNumber = db.prepare<[], StoredEvent>(`
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

  return {
    /** Events that were refused because of their fiscal number, according to the error code. */
    listRefusedForNumber: (): EventRow[] => listRefusedForNumber.all().map(readEvent),
    /** Holds an order until `letGo`, regardless of earlier decisions. */
    hold: (_tx: Tx, posReference: string): void => void hold.run(posReference),
    /** Allows forwarding of an order from now on, with the content of `version`. */
    letGo: (_tx: Tx, posReference: string, version: number): void => void letGo.run({ posReference, version }),

    /**
     * Stops forwarding an event until the operator decides again. Asks for that decision from `until` on (ms since 1970),
     * or immediately if null. Returns false if the event is unknown or done.
     */
    setAside(id: number, at: number, note: string, until: number | null): boolean {
      if (setAside.run({ id, note, until }).changes !== 1) return false;
      log.add({
        eventId: id,
        at,
        outcome: "set_aside",
        detail: sentenceColumn({ words: note }),
        errorCode: null,
        ms: 0,
      });
      return true;
    },
    /** Asks for a new decision on events that were set aside until now, and returns them. */
    bringBack: (now: number): { id: number; posReference: string }[] => bringBack.all({ now }),
    /** When the next decision on an event that was set aside is due, ms since 1970; null if none. */
    nextReturnAt: (): number | null => nextReturn.get()?.at ?? null,
    /** Puts an event back into the queue, to be sent alone. Returns false if it is unknown or done. */
    retry: (id: number): boolean => setRetry.run(id).changes === 1,
  };
}
