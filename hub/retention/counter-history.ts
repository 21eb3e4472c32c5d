import { HOUR_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import type { Memory } from "../db/remembered.ts";

/** The hub's counters at a time (ms since 1970) that could be trusted: what is not above them is older than that. */
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
const APART_MS = 12 * HOUR_MS;

/**
 * The counters of each day, as a second proof of age: a wrong clock may have made the stamp of a row. A row is as old as
 * its stamp says only if it is also not above the counters of that time. Rows from before the first entry have only their
 * stamps.
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
    /** Adds the counters of `now` if that is due; drops entries that only times before `oldest` need. */
    note(now: number, oldest: number): void {
      const counted = readCounters.get();
      if (counted === undefined) return;
      // One from the future was made by a wrong clock. What an earlier hub did not count is at most as old as it is now.
      const entries = read().flatMap((entry) => (entry.at <= now ? { ...counted, ...entry } : []));
      const last = entries.at(-1);
      const added = last !== undefined && now - last.at < APART_MS ? [] : [{ at: now, ...counted }];
      const firstNeeded = entries.findLastIndex((entry) => entry.at <= oldest);
      memory.write(MEMORY, [...entries.slice(Math.max(0, firstNeeded)), ...added], now);
    },

    /** The counters at a time: what is above them is younger, whatever its stamp says. */
    at(time: number): Counters {
      const entries = read();
      const entry = entries.findLast((each) => each.at <= time) ?? entries[0];
      if (entry === undefined) throw new Error("no counters were noted yet");
      return entry;
    },

    /** After a correction of the time by `byMs`: the entries made since `since` move with it. */
    correct(byMs: number, since: number, now: number): void {
      const moved = read().map((entry) => (entry.at >= since ? { ...entry, at: entry.at + byMs } : entry));
      memory.write(MEMORY, moved, now);
    },
  };
}
