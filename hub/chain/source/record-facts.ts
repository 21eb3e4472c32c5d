import type { FeedEntry } from "@comanda/protocol";
import type { Recorder, Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";
import type { TillStore } from "../../till/till-store.ts";
import type { FactStore } from "./fact-store.ts";

/** Facts by the kind of feed entry that causes them. */
const FACT_OF_FEED: Readonly<Partial<Record<FeedEntry["kind"], string>>> = {
  backup_made: "backup.made",
  backup_failed: "backup.failed",
  restore_failed: "restore.failed",
  clock_differs: "clock.differs",
  data_file_doubt: "data_file.doubt",
};

interface RestoreRow {
  forkedAt: number;
  cause: string;
  by: string | null;
  backup: string | null;
}

interface SettledLoss {
  id: number;
  kind: string;
  posReference: string;
  state: string;
  by: string | null;
}

export type FactRecorder = ReturnType<typeof createFactRecorder>;

/** Records events without a `seq` in the transaction that caused them, for a hub that belongs to a chain. */
export function createFactRecorder(deps: {
  db: Db;
  facts: Pick<FactStore, "record">;
  tills: Pick<TillStore, "list" | "getShift">;
}) {
  const { db, facts, tills } = deps;
  const unreportedRestores = db.prepare<[], RestoreRow>(`
    SELECT at AS forkedAt, cause, by_name AS "by", backup FROM restores r
    WHERE NOT EXISTS (SELECT 1 FROM chain_facts f
      WHERE f.kind = 'history.forked' AND json_extract(f.body, '$.forkedAt') = r.at) ORDER BY id`);
  const settledLosses = db.prepare<[number], SettledLoss>(`
    SELECT id, kind, pos_reference AS posReference, state, settled_by AS "by" FROM losses
    WHERE state NOT IN ('open', 'noted') AND settled_at = ?`);
  /** The open shift of each till, as last recorded. */
  let shifts: Map<string, string> | null = null;
  let isSessionOpen: boolean | null = null;
  /** Losses already recorded, all settled at the same time. */
  let recorded = { at: 0, ids: new Set<number>() };

  function recordTill(tx: Tx, tillId: string, tillName: string, shift: { id: string; openedBy: string } | null): void {
    const before = shifts?.get(tillId);
    if (before === shift?.id) return;
    if (before !== undefined) recordClosed(tx, before);
    if (shift !== null) {
      const { id: shiftId, openedBy } = shift;
      facts.record(tx.now, { kind: "shift.opened", body: { shiftId, tillId, tillName, openedBy }, isMoney: true });
    }
    const openShifts = shifts;
    if (shift === null) openShifts?.delete(tillId);
    else openShifts?.set(tillId, shift.id);
    tx.onUndo(() => (before === undefined ? openShifts?.delete(tillId) : openShifts?.set(tillId, before)));
  }

  function recordClosed(tx: Tx, shiftId: string): void {
    const report = tills.getShift(shiftId)?.report;
    if (report == null) return;
    const { byMethod, refunds, discounts, voids, comps, checks } = report;
    const totals = { byMethod, refunds, discounts, voids, comps, checks };
    facts.record(tx.now, { kind: "shift.closed", body: { shiftId, ...totals }, isMoney: true });
  }

  function recordLosses(tx: Tx): void {
    if (recorded.at !== tx.now) recorded = { at: tx.now, ids: new Set() };
    for (const loss of settledLosses.all(tx.now)) {
      if (recorded.ids.has(loss.id)) continue;
      recorded.ids.add(loss.id);
      tx.onUndo(() => recorded.ids.delete(loss.id));
      facts.record(tx.now, { kind: "loss.settled", body: { ...loss }, isMoney: true });
    }
  }

  const record: Recorder = (change, tx) => {
    if (change.kind === "till.changed") {
      recordTill(tx, change.till.id, change.till.name, change.till.shift);
    } else if (change.kind === "session.changed" && change.session.active !== isSessionOpen) {
      const before = isSessionOpen;
      tx.onUndo(() => (isSessionOpen = before));
      isSessionOpen = change.session.active;
      facts.record(tx.now, { kind: isSessionOpen ? "session.opened" : "session.closed", body: {} });
    } else if (change.kind === "notice") {
      const { topics, feed } = change.notice;
      const kind = feed === undefined ? undefined : FACT_OF_FEED[feed.kind];
      if (kind !== undefined) facts.record(tx.now, { kind, body: { ...feed?.detail } });
      if (topics.includes("losses")) recordLosses(tx);
    }
  };

  return {
    record,
    /** Records the hub's start for its headquarters, inside a write. */
    begin(tx: Tx, version: string): void {
      shifts = new Map(tills.list().flatMap(({ id, shift }) => (shift === null ? [] : [[id, shift.id] as const])));
      for (const restore of unreportedRestores.all()) {
        facts.record(tx.now, { kind: "history.forked", body: { ...restore }, isMoney: true });
      }
      facts.record(tx.now, { kind: "hub.started", body: { version } });
    },
    end: (tx: Tx): void => facts.record(tx.now, { kind: "hub.stopped", body: {} }),
    clockCorrected: (tx: Tx, byMs: number): void => facts.record(tx.now, { kind: "clock.corrected", body: { byMs } }),
  };
}
