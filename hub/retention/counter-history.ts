import { HOUR_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import type { Memory } from "../db/remembered.ts";

/** The hub's counters at a trusted time (ms since 1970). Rows not above them are older than that time. */
export interface Counters {
  at: number;
  seq: number;
  auditId: number;
  paymentId: number;
  keptChangeId: number;
  lossId: number;
  moneyId: number;
  shiftEventId: number;
  chainFactId: number;
  printJobId: number;
}

const MEMORY = "ages";
/** The loop runs about once a day. */
const INTERVAL_MS = 12 * HOUR_MS;

/**
 * Records the counters each day as a second proof of age, because a wrong clock may have set a row's timestamp. A row counts as
 * old only if it is also not above the counters of that time. Rows from before the first entry have only their timestamps.
 */
export function createCounterHistory(db: Db, memory: Memory) {
  const readCounters = db.prepare<[], Omit<Counters, "at">>(`
    SELECT seq, (SELECT coalesce(max(id), 0) FROM audit_log) AS auditId,
      (SELECT coalesce(max(id), 0) FROM unapplied_payments) AS paymentId,
      (SELECT coalesce(max(id), 0) FROM kept_changes) AS keptChangeId,
      (SELECT coalesce(max(id), 0) FROM losses) AS lossId,
      (SELECT coalesce(max(id), 0) FROM till_money) AS moneyId,
      (SELECT coalesce(max(id), 0) FROM shift_events) AS shiftEventId,
      (SELECT coalesce(max(id), 0) FROM chain_facts) AS chainFactId,
      (SELECT coalesce(max(id), 0) FROM print_jobs) AS printJobId
    FROM hub_state`);

  const read = (): Counters[] => memory.read<Counters[]>(MEMORY)?.value ?? [];

  return {
    /** Adds the counters of `now` if due. Drops entries needed only for times before `oldest`. */
    note(now: number, oldest: number): void {
      const counted = readCounters.get();
      if (counted === undefined) return;
      // Drops entries from the future, which a wrong clock made.
      const entries = read().filter((entry) => entry.at <= now);
      const last = entries.at(-1);
      const added = last !== undefined && now - last.at < INTERVAL_MS ? [] : [{ at: now, ...counted }];
      const firstNeeded = entries.findLastIndex((entry) => entry.at <= oldest);
      memory.write(MEMORY, [...entries.slice(Math.max(0, firstNeeded)), ...added], now);
    },

    /** Returns the counters at a time. Rows above them are younger, whatever their timestamps say. */
    at(time: number): Counters {
      const entries = read();
      const entry = entries.findLast((each) => each.at <= time) ?? entries[0];
      if (entry === undefined) throw new Error("no counters were noted yet");
      return entry;
    },

    /** Applies a time correction of `byMs` to the entries made since `since`. */
    correct(byMs: number, since: number, now: number): void {
      const moved = read().map((entry) => (entry.at >= since ? { ...entry, at: entry.at + byMs } : entry));
      memory.write(MEMORY, moved, now);
    },
  };
}
