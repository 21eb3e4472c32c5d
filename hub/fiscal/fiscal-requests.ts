import type { Said } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { readSaidOrNull, saidColumn } from "../db/rows/said-column.ts";

/**
 * A fiscal number that a paid order waits for. `failed`: the back-office refused it, and a manager decides. `releasing`: the
 * order goes without; a number that was reserved for it all the same is given up.
 */
export interface FiscalRequestRow {
  posReference: string;
  state: "pending" | "failed" | "releasing";
  type: string;
  rnc: string | null;
  /** While `releasing`: the number, where it is known, and why it is given up. */
  ncf: string | null;
  reason: string | null;
  attempts: number;
  error: Said | null;
  errorCode: string | null;
  changedAt: number;
}

/** What the last attempt was answered, where it was. */
type Failure = Pick<FiscalRequestRow, "error" | "errorCode">;

interface Row extends Omit<FiscalRequestRow, "error"> {
  error: string | null;
}

/** The longest wait between two attempts; one that would wait longer was stamped before the clock was put back. */
const BACKOFF_MAX_MS = 60_000;
const BACKOFF_FACTOR = 1.5;

export type FiscalRequests = ReturnType<typeof createFiscalRequests>;

/** The fiscal numbers that the hub has to ask for, or give up; done ones are removed. */
export function createFiscalRequests(db: Db) {
  const COLUMNS = `pos_reference AS posReference, state, type, rnc, ncf, reason, attempts, error,
    error_code AS errorCode, changed_at AS changedAt`;
  const get = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM fiscal_requests WHERE pos_reference = ?`);
  const ofState = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM fiscal_requests WHERE state = ? ORDER BY changed_at`,
  );
  const count = db.prepare<[string], number>("SELECT count(*) FROM fiscal_requests WHERE state = ?").pluck();
  const due = db
    .prepare<{ now: number; isEager: 0 | 1 }, string>(`
      SELECT pos_reference FROM fiscal_requests
      WHERE state IN ('pending', 'releasing')
        AND (@isEager = 1 OR next_attempt_at <= @now OR next_attempt_at > @now + ${BACKOFF_MAX_MS})
      ORDER BY changed_at`)
    .pluck();
  const insert = db.prepare<{ posReference: string; type: string; rnc: string | null; at: number }>(`
    INSERT OR REPLACE INTO fiscal_requests (pos_reference, state, type, rnc, changed_at)
    VALUES (@posReference, 'pending', @type, @rnc, @at)`);
  const postpone = db.prepare<Pick<Row, "error" | "errorCode"> & { posReference: string; nextAttemptAt: number }>(`
    UPDATE fiscal_requests SET attempts = attempts + 1, next_attempt_at = @nextAttemptAt, error = @error,
      error_code = @errorCode
    WHERE pos_reference = @posReference`);
  const fail = db.prepare<{ posReference: string; error: string; errorCode: string | null; at: number }>(`
    UPDATE fiscal_requests SET state = 'failed', error = @error, error_code = @errorCode, changed_at = @at
    WHERE pos_reference = @posReference`);
  const release = db.prepare<{ posReference: string; reason: string; at: number }>(`
    UPDATE fiscal_requests SET state = 'releasing', reason = @reason, attempts = 0, next_attempt_at = 0, changed_at = @at
    WHERE pos_reference = @posReference`);
  const noteNumber = db.prepare<[string, string]>("UPDATE fiscal_requests SET ncf = ? WHERE pos_reference = ?");
  const remove = db.prepare<[string]>("DELETE FROM fiscal_requests WHERE pos_reference = ?");

  return {
    /** Also instead of a request that failed. */
    add: (tx: Tx, posReference: string, type: string, rnc: string | null): void =>
      void insert.run({ posReference, type, rnc, at: tx.now }),
    get(posReference: string): FiscalRequestRow | null {
      const row = get.get(posReference);
      return row === undefined ? null : read(row);
    },
    /** The references whose attempt is due at `now` (ms since 1970), oldest first; with `isEager` all that wait. */
    due: (now: number, isEager: boolean): string[] => due.all({ now, isEager: isEager ? 1 : 0 }),
    /** The attempt got no number: the next one waits longer each time, at first `waitMs`. */
    postpone(tx: Tx, { posReference, attempts }: FiscalRequestRow, waitMs: number, failure: Failure): void {
      const backoffMs = Math.min(BACKOFF_MAX_MS, Math.round(waitMs * BACKOFF_FACTOR ** attempts));
      const { error, errorCode } = failure;
      const text = error === null ? null : saidColumn(error);
      postpone.run({ error: text, errorCode, posReference, nextAttemptAt: tx.now + backoffMs });
    },
    fail: (tx: Tx, posReference: string, error: Said, errorCode: string | null): void =>
      void fail.run({ posReference, error: saidColumn(error), errorCode, at: tx.now }),
    release: (tx: Tx, posReference: string, reason: string): void =>
      void release.run({ posReference, reason, at: tx.now }),
    noteNumber: (_tx: Tx, posReference: string, ncf: string): void => void noteNumber.run(ncf, posReference),
    remove: (_tx: Tx, posReference: string): void => void remove.run(posReference),
    countPending: (): number => count.get("pending") ?? 0,
    countFailed: (): number => count.get("failed") ?? 0,
    /** Those that are asked for again because the last attempt was answered with something else than a number. */
    listUnclear: (): FiscalRequestRow[] =>
      ofState.all("pending").flatMap((row) => (row.error === null ? [] : [read(row)])),
    listFailed: (): FiscalRequestRow[] => ofState.all("failed").map(read),
  };
}

function read(row: Row): FiscalRequestRow {
  return { ...row, error: readSaidOrNull(row.error) };
}
