import type { Db } from "../db/open.ts";
import type { Memory } from "../db/remembered.ts";
import { HOUR_MS } from "../platform/durations.ts";

/** How far the hub's counters were at a time (ms since 1970) that could be trusted: what is not above them is older. */
export interface AgeMark {
  at: number;
  seq: number;
  auditId: number;
  paymentId: number;
  lossId: number;
}

const MEMORY = "ages";
/** The loop comes once a day, give or take. */
const APART_MS = 12 * HOUR_MS;

/**
 * Tells age without the stamps of rows, which a wrong clock may have made: once a day the counters are noted down. A row
 * is as old as its stamp says only if it is also not above the counters of that time. What was stored before the first mark
 * has nothing but its stamps.
 */
export function createAgeMarks(db: Db, memory: Memory) {
  const counters = db.prepare<[], Omit<AgeMark, "at">>(`
    SELECT seq, (SELECT coalesce(max(id), 0) FROM audit_log) AS auditId,
      (SELECT coalesce(max(id), 0) FROM unapplied_payments) AS paymentId,
      (SELECT coalesce(max(id), 0) FROM losses) AS lossId
    FROM hub_state`);

  const read = (): AgeMark[] => memory.read<AgeMark[]>(MEMORY)?.value ?? [];

  return {
    /** Notes down how far the counters are at `now`, if that is due; forgets marks that only times before `oldest` need. */
    note(now: number, oldest: number): void {
      // One from the future was made by a wrong clock.
      const marks = read().filter((mark) => mark.at <= now);
      const last = marks.at(-1);
      if (last !== undefined && now - last.at < APART_MS) return;
      const counted = counters.get();
      if (counted === undefined) return;
      const firstNeeded = marks.findLastIndex((mark) => mark.at <= oldest);
      memory.write(MEMORY, [...marks.slice(Math.max(0, firstNeeded)), { at: now, ...counted }], now);
    },

    /** How far the counters were at a time: what is above them is younger, whatever its stamp says. */
    at(time: number): AgeMark {
      const marks = read();
      const mark = marks.findLast((each) => each.at <= time) ?? marks[0];
      if (mark === undefined) throw new Error("no age was noted down yet");
      return mark;
    },

    /** After a correction of the time by `byMs`: the marks made since `since` move with it. */
    correct(byMs: number, since: number, now: number): void {
      const moved = read().map((mark) => (mark.at >= since ? { ...mark, at: mark.at + byMs } : mark));
      memory.write(MEMORY, moved, now);
    },
  };
}
