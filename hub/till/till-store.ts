import type { ShiftReport, ShiftState, Till, TillState } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { isoTime } from "../platform/world.ts";
import { createShiftRows, type NewShift, type ShiftRow } from "./shift-rows.ts";

/** A till, with the place of its last change in the shared state. */
export interface StoredTill {
  id: string;
  name: string;
  printer: string | null;
  terminals: readonly string[];
  seq: number;
  shift: { id: string; openedAt: number; openedBy: string; state: Exclude<ShiftState, "closed"> } | null;
  isRemoved: boolean;
}

interface TillRow extends Omit<StoredTill, "terminals" | "shift" | "isRemoved"> {
  terminals: string;
  isRemoved: 0 | 1;
  shiftId: string | null;
  openedAt: number;
  openedBy: string;
  state: Exclude<ShiftState, "closed">;
}

export type TillStore = ReturnType<typeof createTillStore>;

/** Tills and their shifts. */
export function createTillStore(db: Db) {
  const TILLS = `
    SELECT t.till_id AS id, t.name, t.printer, t.terminals, t.seq, t.is_removed AS isRemoved,
      s.shift_id AS shiftId, s.opened_at AS openedAt, s.opened_by AS openedBy, s.state
    FROM tills t LEFT JOIN shifts s ON s.till_id = t.till_id AND s.state <> 'closed'`;
  const all = db.prepare<[], TillRow>(`${TILLS} ORDER BY t.name, t.till_id`);
  const upsert = db.prepare<Record<string, string | number | null>>(`
    INSERT INTO tills (till_id, name, printer, terminals, seq, is_removed, money_before)
    VALUES (@id, @name, @printer, @terminals, @seq, @isRemoved, (SELECT coalesce(max(id), 0) FROM till_money))
    ON CONFLICT (till_id) DO UPDATE SET name = excluded.name, printer = excluded.printer, terminals = excluded.terminals,
      seq = excluded.seq, is_removed = excluded.is_removed, seal = NULL`);
  const shifts = createShiftRows(db);

  /** Cached, because every payment looks up its terminal's till. Read again after a change or an undone write. */
  let cache: Map<string, StoredTill> | null = null;

  function load(): Map<string, StoredTill> {
    cache ??= new Map(all.all().map((row) => [row.id, readTill(row)]));
    return cache;
  }

  function forget(tx: Tx): void {
    cache = null;
    tx.onUndo(() => (cache = null));
  }

  function save(tx: Tx, { id, name, printer, terminals, isRemoved }: Omit<StoredTill, "seq" | "shift">): void {
    upsert.run({
      id,
      name,
      printer,
      terminals: JSON.stringify(terminals),
      seq: tx.nextSeq(),
      isRemoved: isRemoved ? 1 : 0,
    });
    forget(tx);
  }

  /** Announces the current state of a till. Returns the place of the change. */
  function announce(tx: Tx, tillId: string): number {
    const till = load().get(tillId);
    if (till === undefined) throw new Error(`till ${tillId} was not stored`);
    const change: ChangeOf<"till.changed"> = { kind: "till.changed", seq: till.seq, till: stateOf(till) };
    tx.emit(change);
    return till.seq;
  }

  function change(tx: Tx, till: Omit<StoredTill, "seq" | "shift">): number {
    save(tx, till);
    return announce(tx, till.id);
  }

  /** Announces a till whose shift has changed, since terminals see the shift as part of the till. */
  function changed(tx: Tx, tillId: string): number {
    const till = load().get(tillId);
    if (till === undefined) throw new Error(`there is no till ${tillId}`);
    return change(tx, till);
  }

  return {
    list: (): StoredTill[] => [...load().values()].filter(({ isRemoved }) => !isRemoved),
    /** Also returns a removed till. */
    get: (tillId: string): StoredTill | null => load().get(tillId) ?? null,
    /** The till that keeps a terminal's money. */
    findByTerminal: (terminalId: string): StoredTill | null =>
      [...load().values()].find(({ terminals, isRemoved }) => !isRemoved && terminals.includes(terminalId)) ?? null,
    change,

    getShift: shifts.get,
    listShiftTimes: shifts.listTimes,
    listShifts: shifts.list,
    listUnclosedShifts: shifts.listUnclosed,

    openShift(tx: Tx, row: NewShift): number {
      shifts.insert(row);
      forget(tx);
      return changed(tx, row.tillId);
    },
    noteCounted(tx: Tx, { id, tillId }: ShiftRow, at: number): number {
      shifts.noteCounted(id, at);
      forget(tx);
      return changed(tx, tillId);
    },
    closeShift(tx: Tx, { id, tillId, countedAt }: ShiftRow, report: ShiftReport): number {
      shifts.close(id, { countedAt, closedAt: tx.now, report });
      forget(tx);
      return changed(tx, tillId);
    },

    /** The tills, serialized for a SYNC. */
    wire: (): string[] => read().flatMap((till) => (till.isRemoved ? [] : [JSON.stringify(stateOf(till))])),
    /** The tills changed after `seq`, serialized, including removed ones. */
    wireSince: (seq: number): string[] =>
      read().flatMap((till) => (till.seq <= seq ? [] : [JSON.stringify(stateOf(till))])),
  };

  /** Reads through this connection instead of the cache: a SYNC may show an earlier moment. */
  function read(): StoredTill[] {
    return all.all().map(readTill);
  }
}

/** Returns a till as terminals see it. */
export function stateOf({ id, name, terminals, shift, isRemoved }: StoredTill): TillState {
  return {
    id,
    name,
    terminals: [...terminals],
    shift: shift === null ? null : { ...shift, openedAt: isoTime(shift.openedAt) },
    ...(isRemoved && { removed: true as const }),
  };
}

/** Returns a till as managers see it. */
export function presentTill(till: StoredTill): Till {
  const { removed: _, ...state } = stateOf(till);
  return { ...state, ...(till.printer !== null && { printer: till.printer }) };
}

function readTill({ shiftId, openedAt, openedBy, state, terminals, isRemoved, ...till }: TillRow): StoredTill {
  return {
    ...till,
    terminals: parseColumn<string[]>(terminals, []),
    shift: shiftId === null ? null : { id: shiftId, openedAt, openedBy, state },
    isRemoved: isRemoved === 1,
  };
}
