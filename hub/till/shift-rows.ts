import type { FloatOfCurrency, ShiftReport, ShiftState } from "@comanda/protocol";
import type { ShiftTime } from "@comanda/rules";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { readRow } from "../db/rows/read-row.ts";

export interface ShiftRow {
  id: string;
  tillId: string;
  tillName: string;
  state: ShiftState;
  openedAt: number;
  openedBy: string;
  /** The payment method of its float and its moves. */
  cashMethodId: string;
  float: number;
  floats: FloatOfCurrency[];
  countedAt: number | null;
  closedAt: number | null;
  /** The report at its closing; null until then. */
  report: ShiftReport | null;
}

interface StoredShift extends Omit<ShiftRow, "floats" | "report"> {
  floats: string;
  report: string | null;
}

/** Most shifts in one list. */
const LISTED = 500;

export type NewShift = Pick<
  ShiftRow,
  "id" | "tillId" | "tillName" | "openedAt" | "openedBy" | "cashMethodId" | "float" | "floats"
>;

/** The stored shifts of tills. */
export function createShiftRows(db: Db) {
  const SHIFT = `shift_id AS id, till_id AS tillId, till_name AS tillName, state, opened_at AS openedAt,
    opened_by AS openedBy, cash_method AS cashMethodId, float, floats, counted_at AS countedAt, closed_at AS closedAt,
    report`;
  const get = db.prepare<[string], StoredShift>(`SELECT ${SHIFT} FROM shifts WHERE shift_id = ?`);
  const listTimes = db.prepare<[string], ShiftTime>(`
    SELECT shift_id AS id, opened_at AS openedAt, counted_at AS countedAt FROM shifts INDEXED BY shift_by_till
    WHERE till_id = ? ORDER BY opened_at DESC LIMIT 20`);
  const listed = db.prepare<{ from: number; to: number; state: string | null }, StoredShift>(`
    SELECT ${SHIFT} FROM shifts INDEXED BY shift_by_time
    WHERE opened_at >= @from AND opened_at < @to AND (@state IS NULL OR state = @state)
    ORDER BY opened_at DESC LIMIT ${LISTED}`);
  const listUnclosed = db.prepare<[], StoredShift>(`
    SELECT ${SHIFT} FROM shifts INDEXED BY shift_unclosed WHERE state <> 'closed' ORDER BY opened_at`);
  const insert = db.prepare<Omit<StoredShift, "state" | "countedAt" | "closedAt" | "report">>(`
    INSERT INTO shifts (shift_id, till_id, till_name, state, opened_at, opened_by, cash_method, float, floats)
    VALUES (@id, @tillId, @tillName, 'open', @openedAt, @openedBy, @cashMethodId, @float, @floats)`);
  const count = db.prepare<{ id: string; at: number }>(
    "UPDATE shifts SET state = 'counted', counted_at = coalesce(counted_at, @at) WHERE shift_id = @id AND state <> 'closed'",
  );
  const close = db.prepare<Pick<StoredShift, "id" | "countedAt" | "closedAt" | "report">>(`
    UPDATE shifts SET state = 'closed', counted_at = @countedAt, closed_at = @closedAt, report = @report
    WHERE shift_id = @id AND state <> 'closed'`);

  return {
    get: (shiftId: string): ShiftRow | null => readRow(get.get(shiftId), readShift),
    /** The last 20 shifts of a till. */
    listTimes: (tillId: string): ShiftTime[] => listTimes.all(tillId),
    /** Shifts opened from `from` until before `to`, newest first. */
    list: (from: number, to: number, state: ShiftState | null): ShiftRow[] =>
      listed.all({ from, to, state }).map(readShift),
    listUnclosed: (): ShiftRow[] => listUnclosed.all().map(readShift),
    insert: (row: NewShift): void => void insert.run({ ...row, floats: JSON.stringify(row.floats) }),
    noteCounted: (id: string, at: number): void => void count.run({ id, at }),
    close: (id: string, { report, ...times }: Pick<ShiftRow, "countedAt" | "closedAt" | "report">): void =>
      void close.run({ id, ...times, report: JSON.stringify(report) }),
  };
}

function readShift({ floats, report, ...shift }: StoredShift): ShiftRow {
  return {
    ...shift,
    floats: parseColumn<FloatOfCurrency[]>(floats, []),
    report: report === null ? null : parseColumn<ShiftReport | null>(report, null),
  };
}
