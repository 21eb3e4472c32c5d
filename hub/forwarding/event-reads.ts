import type { Total } from "../db/rows/count-up-to.ts";
import type { Db } from "../db/open.ts";
import { readRow } from "../db/rows/read-row.ts";
import { ALL_COLUMNS, type EventRow, readEvent, type StoredEvent } from "./event-rows.ts";
import { countEvents, type EventFilter, findEvents } from "./find-events.ts";

/** Reads events for screens and reports. */
export function createEventReads(db: Db) {
  const oldestPending = db.prepare<[], { at: number | null }>(
    "SELECT min(created_at) AS at FROM hub_events WHERE forwarded = 0 AND state = 'pending'",
  );
  const listByState = db.prepare<[string], StoredEvent>(`
    SELECT ${ALL_COLUMNS} FROM hub_events WHERE forwarded = 0 AND state = ? ORDER BY id`);
  const countPendingUpTo = db.prepare<[number], { n: number }>(
    "SELECT count(*) AS n FROM hub_events WHERE forwarded = 0 AND state = 'pending' AND id <= ?",
  );
  const newestId = db.prepare<[], { id: number | null }>("SELECT max(id) AS id FROM hub_events");
  const get = db.prepare<[number], StoredEvent>(`SELECT ${ALL_COLUMNS} FROM hub_events WHERE id = ?`);
  const listByOrder = db.prepare<[string], StoredEvent>(
    `SELECT ${ALL_COLUMNS} FROM hub_events WHERE pos_reference = ? ORDER BY id`,
  );

  return {
    get: (id: number): EventRow | null => readRow(get.get(id), readEvent),
    /** When the oldest pending event was queued, ms since 1970; null if there is none. */
    oldestPendingAt: (): number | null => oldestPending.get()?.at ?? null,
    /** The number of pending events up to this id. */
    countPendingUpTo: (id: number): number => countPendingUpTo.get(id)?.n ?? 0,
    newestId: (): number => newestId.get()?.id ?? 0,
    /** Events in a state that are not forwarded yet, in order. */
    listByState: (state: "pending" | "attention"): EventRow[] => listByState.all(state).map(readEvent),
    /** A page of events beyond the id `from`: waiting events oldest first, others newest first. */
    page: (filter: EventFilter, from: number | null, limit: number): EventRow[] =>
      findEvents(db, filter, from, limit).flatMap((id) => {
        const row = get.get(id);
        return row === undefined ? [] : [readEvent(row)];
      }),
    count: (filter: EventFilter): Total => countEvents(db, filter),
    listByOrder: (posReference: string): EventRow[] => listByOrder.all(posReference).map(readEvent),
  };
}
