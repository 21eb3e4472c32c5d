import { hubLimits, type TableLock, type TableState, type TableStatus } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { readRow } from "../db/rows/read-row.ts";
import { isoTime } from "../platform/world.ts";

interface TableRow {
  tableId: number;
  status: TableStatus;
  posReference: string | null;
  updatedAt: number;
  lock: string | null;
}

export type TableStore = ReturnType<typeof createTableStore>;

const COLUMNS = "table_id AS tableId, status, pos_reference AS posReference, updated_at AS updatedAt, lock";

/** Stores the live state of every table that the hub has seen. */
export function createTableStore(db: Db) {
  const get = db.prepare<[number], TableRow>(`SELECT ${COLUMNS} FROM tables WHERE table_id = ?`);
  const list = db.prepare<[], TableRow>(`SELECT ${COLUMNS} FROM tables ORDER BY table_id`);
  const listSince = db.prepare<[number], TableRow>(`SELECT ${COLUMNS} FROM tables WHERE seq > ? ORDER BY seq`);
  const listLocked = db.prepare<[], TableRow>(`SELECT ${COLUMNS} FROM tables WHERE lock IS NOT NULL`);
  const upsert = db.prepare<TableRow & { seq: number }>(`
    INSERT INTO tables (table_id, status, pos_reference, updated_at, seq, lock)
    VALUES (@tableId, @status, @posReference, @updatedAt, @seq, @lock)
    ON CONFLICT (table_id) DO UPDATE SET
      status = excluded.status, pos_reference = excluded.pos_reference, updated_at = excluded.updated_at,
      seq = excluded.seq, lock = excluded.lock`);

  return {
    get: (tableId: number, now: number): TableState | null => readRow(get.get(tableId), (row) => present(row, now)),
    list: (now: number): TableState[] => list.all().map((row) => present(row, now)),
    listSince: (seq: number, now: number): TableState[] => listSince.all(seq).map((row) => present(row, now)),
    /** Returns tables that have a lock, including ended ones. */
    listLocked: (): { tableId: number; lock: TableLock }[] =>
      listLocked.all().flatMap(({ tableId, lock: text }) => {
        const lock = parseLock(text);
        return lock === null ? [] : [{ tableId, lock }];
      }),

    /** Stores the given fields, keeps the others and returns the change. The caller emits it. */
    save(
      tx: Tx,
      tableId: number,
      origin: string,
      next: { status?: TableStatus; posReference?: string; lock?: TableLock | null },
    ): ChangeOf<"table.changed"> {
      const stored = get.get(tableId);
      const row: TableRow = {
        tableId,
        status: next.status ?? stored?.status ?? "available",
        posReference: next.posReference ?? stored?.posReference ?? null,
        updatedAt: tx.now,
        lock: next.lock === undefined ? (stored?.lock ?? null) : next.lock === null ? null : JSON.stringify(next.lock),
      };
      const seq = tx.nextSeq();
      upsert.run({ ...row, seq });
      const statusChanged = row.status !== (stored?.status ?? "available");
      return { kind: "table.changed", seq, origin, table: present(row, tx.now), statusChanged };
    },
  };
}

function present(row: TableRow, now: number): TableState {
  const lock = parseLock(row.lock);
  return {
    tableId: row.tableId,
    status: row.status,
    posReference: row.posReference,
    updatedAt: isoTime(row.updatedAt),
    lock: lock !== null && isInForce(lock, now) ? lock : null,
  };
}

/** Whether a lock is in force. One longer than allowed was set before the clock was set back, so it has ended. */
export function isInForce(lock: TableLock, now: number): boolean {
  const remainingMs = Date.parse(lock.expiresAt) - now;
  return remainingMs > 0 && remainingMs <= hubLimits.tableLockMaxMs;
}

function parseLock(text: string | null): TableLock | null {
  return text === null ? null : parseColumn<TableLock | null>(text, null);
}
