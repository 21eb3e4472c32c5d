import type { Sentence } from "@comanda/protocol";
import type { ReceiptStanding } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { isDismissed } from "../db/rows/dismissed-receipt.ts";
import { readSentenceOrNull, sentenceColumn } from "../db/rows/sentence-column.ts";
import { readRow } from "../db/rows/read-row.ts";

/** State of the receipt of an order that has its number. `unsigned`: requests have ended, and a manager decides. */
export type ReceiptState = ReceiptStanding | "unsigned";

const receiptStates: ReadonlySet<string> = new Set([
  "signing",
  "sent",
  "unsigned",
  "rejected",
  "conflict",
  "contingency",
] satisfies ReceiptState[]);

/** States that need a manager's attention. */
const OPEN_RECEIPTS = "('unsigned', 'rejected', 'conflict')";

/**
 * A fiscal number that a paid order waits for, or what has to follow for its receipt. `failed`: the back-office refused the
 * number, and a manager decides. `releasing`: the order is sent without one, and a number reserved for it is released.
 */
export interface FiscalRequestRow {
  posReference: string;
  state: "pending" | "failed" | "releasing" | ReceiptState;
  type: string;
  rnc: string | null;
  /** While `releasing`: the number, if known, and why it is released. */
  ncf: string | null;
  reason: string | null;
  attempts: number;
  error: Sentence | null;
  errorCode: string | null;
  changedAt: number;
}

/** The error of the last attempt; nulls if it was not answered. */
type Failure = Pick<FiscalRequestRow, "error" | "errorCode">;

/** A written receipt gets the highest rowid. Those of one batch have the same time. */
const NEWEST = `(@newestOnly = 0 OR pos_reference = (
  SELECT pos_reference FROM fiscal_requests WHERE state = 'signing' ORDER BY rowid DESC LIMIT 1))`;

/** What has to follow for the receipt of an order. */
export type ReceiptRow = FiscalRequestRow & { state: ReceiptState };

/** Whether a row is about a receipt, not about a missing number. */
export function isReceipt(row: FiscalRequestRow): row is ReceiptRow {
  return receiptStates.has(row.state);
}

/** A receipt that needs a manager's attention. */
export type OpenReceiptRow = FiscalRequestRow & { state: "unsigned" | "rejected" | "conflict" };

function isOpenReceipt(row: FiscalRequestRow): row is OpenReceiptRow {
  return row.state === "unsigned" || row.state === "rejected" || row.state === "conflict";
}

interface Row extends Omit<FiscalRequestRow, "error"> {
  error: string | null;
}

/** The longest wait between two attempts. A longer one was stamped before the clock was set back. */
const BACKOFF_MAX_MS = 60_000;
const BACKOFF_FACTOR = 1.5;

export type FiscalRequests = ReturnType<typeof createFiscalRequests>;

/** The fiscal numbers that the hub has to request or release; finished ones are removed. */
export function createFiscalRequests(db: Db) {
  const COLUMNS = `pos_reference AS posReference, state, type, rnc, ncf, reason, attempts, error,
    error_code AS errorCode, changed_at AS changedAt`;
  const get = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM fiscal_requests WHERE pos_reference = ?`);
  const listByState = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM fiscal_requests WHERE state = ? ORDER BY changed_at`,
  );
  const count = db.prepare<[string], number>("SELECT count(*) FROM fiscal_requests WHERE state = ?").pluck();
  const listDue = db
    .prepare<{ now: number; isEager: 0 | 1 }, string>(`
      SELECT pos_reference FROM fiscal_requests
      WHERE state IN ('pending', 'releasing')
        AND (@isEager = 1 OR next_attempt_at <= @now OR next_attempt_at > @now + ${BACKOFF_MAX_MS})
      ORDER BY changed_at`)
    .pluck();
  const insert = db.prepare<{ posReference: string; type: string; rnc: string | null; at: number }>(`
    INSERT OR REPLACE INTO fiscal_requests (pos_reference, state, type, rnc, changed_at)
    VALUES (@posReference, 'pending', @type, @rnc, @at)`);
  const postpone = db.prepare<
    Pick<Row, "posReference" | "error" | "errorCode" | "changedAt"> & { nextAttemptAt: number }
  >(`
    UPDATE fiscal_requests SET attempts = attempts + 1, next_attempt_at = @nextAttemptAt, error = @error,
      error_code = @errorCode
    WHERE pos_reference = @posReference AND changed_at = @changedAt`);
  const fail = db.prepare<{ posReference: string; error: string; errorCode: string | null; at: number }>(`
    UPDATE fiscal_requests SET state = 'failed', error = @error, error_code = @errorCode, changed_at = @at
    WHERE pos_reference = @posReference`);
  const release = db.prepare<{ posReference: string; reason: string; at: number }>(`
    UPDATE fiscal_requests SET state = 'releasing', reason = @reason, attempts = 0, next_attempt_at = 0, changed_at = @at
    WHERE pos_reference = @posReference`);
  const noteReceipt = db.prepare<Omit<Row, "rnc" | "reason" | "attempts"> & { nextAttemptAt: number }>(`
    INSERT OR REPLACE INTO fiscal_requests
      (pos_reference, state, type, ncf, next_attempt_at, error, error_code, changed_at)
    VALUES (@posReference, @state, @type, @ncf, @nextAttemptAt, @error, @errorCode, @changedAt)`);
  const listDueReceipts = db
    .prepare<{ now: number; signing: number; sent: number; newestOnly: 0 | 1 }, string>(`
      SELECT pos_reference FROM fiscal_requests
      WHERE (state = 'signing' AND (next_attempt_at <= @now OR next_attempt_at > @now + @signing) AND ${NEWEST})
        OR (state = 'sent' AND (next_attempt_at <= @now OR next_attempt_at > @now + @sent))
      ORDER BY state = 'sent', changed_at DESC`)
    .pluck();
  const nextReceipt = db
    .prepare<{ newestOnly: 0 | 1 }, number | null>(
      `SELECT min(next_attempt_at) FROM fiscal_requests WHERE state = 'sent' OR (state = 'signing' AND ${NEWEST})`,
    )
    .pluck();
  const forgetReceipts = db.prepare<[number]>(
    "DELETE FROM fiscal_requests WHERE state = 'signing' AND changed_at <= ?",
  );
  const delayRequests = db.prepare<[number, string]>(
    "UPDATE fiscal_requests SET attempts = attempts + 1, next_attempt_at = ? WHERE pos_reference = ?",
  );
  const askNow = db.prepare("UPDATE fiscal_requests SET next_attempt_at = 0 WHERE state = 'signing'");
  const openReceipts = db.prepare<[], Row>(`
    SELECT ${COLUMNS} FROM fiscal_requests WHERE state IN ${OPEN_RECEIPTS} ORDER BY changed_at`);
  const countOpenReceipts = db
    .prepare<[], number>(`SELECT count(*) FROM fiscal_requests WHERE state IN ${OPEN_RECEIPTS}`)
    .pluck();
  const noteNumber = db.prepare<[string, string]>("UPDATE fiscal_requests SET ncf = ? WHERE pos_reference = ?");
  const remove = db.prepare<[string]>("DELETE FROM fiscal_requests WHERE pos_reference = ?");
  const dismissed = db.prepare<[string, string | null], 0 | 1>(`SELECT ${isDismissed("?", "?")}`).pluck();

  return {
    /** Adds a request, or replaces a failed one. */
    add: (tx: Tx, posReference: string, type: string, rnc: string | null): void =>
      void insert.run({ posReference, type, rnc, at: tx.now }),
    get: (posReference: string): FiscalRequestRow | null => readRow(get.get(posReference), read),
    /** References of orders whose attempt is due at `now` (ms since 1970), oldest first; with `isEager`, of all waiting. */
    listDue: (now: number, isEager: boolean): string[] => listDue.all({ now, isEager: isEager ? 1 : 0 }),
    /**
     * Schedules the next attempt after one without a number: first after `waitMs`, then longer each time. Does nothing if a
     * manager has changed the request meanwhile.
     */
    postpone(tx: Tx, { posReference, attempts, changedAt }: FiscalRequestRow, waitMs: number, failure: Failure): void {
      const backoffMs = Math.min(BACKOFF_MAX_MS, Math.round(waitMs * BACKOFF_FACTOR ** attempts));
      const { error, errorCode } = failure;
      const text = error === null ? null : sentenceColumn(error);
      postpone.run({ error: text, errorCode, posReference, changedAt, nextAttemptAt: tx.now + backoffMs });
    },
    fail: (tx: Tx, posReference: string, error: Sentence, errorCode: string | null): void =>
      void fail.run({ posReference, error: sentenceColumn(error), errorCode, at: tx.now }),
    release: (tx: Tx, posReference: string, reason: string): void =>
      void release.run({ posReference, reason, at: tx.now }),
    noteNumber: (_tx: Tx, posReference: string, ncf: string): void => void noteNumber.run(ncf, posReference),
    remove: (_tx: Tx, posReference: string): void => void remove.run(posReference),
    countPending: (): number => count.get("pending") ?? 0,
    countFailed: (): number => count.get("failed") ?? 0,
    /** Requests that are retried because the last attempt was answered with something other than a number. */
    listUnclear: (): FiscalRequestRow[] =>
      listByState.all("pending").flatMap((row) => (row.error === null ? [] : [read(row)])),
    /** Stores what has to follow for an order's receipt. If it has to be requested, first at `nextAttemptAt`. */
    noteReceipt(
      tx: Tx,
      receipt: Pick<ReceiptRow, "posReference" | "state" | "type" | "ncf"> & Partial<Failure>,
      nextAttemptAt = 0,
    ): void {
      const { error = null, errorCode = null } = receipt;
      const text = error === null ? null : sentenceColumn(error);
      noteReceipt.run({ ...receipt, error: text, errorCode, nextAttemptAt, changedAt: tx.now });
    },
    /**
     * References of orders whose receipt is due at `now` (ms since 1970), newest first, because its guest is still waiting. A
     * wait longer than its state's `maxMs` was stamped before the clock was set back.
     */
    listDueReceipts: (now: number, maxMs: { signing: number; sent: number }, newestOnly: boolean): string[] =>
      listDueReceipts.all({ now, ...maxMs, newestOnly: newestOnly ? 1 : 0 }),
    /** When the next receipt is due, ms since 1970; null if none is waiting. */
    nextReceiptAt: (newestOnly: boolean): number | null => nextReceipt.get({ newestOnly: newestOnly ? 1 : 0 }) ?? null,
    /** Stops requesting the signature of receipts unsigned since `before` (ms since 1970) or longer. */
    forgetReceipts: (_tx: Tx, before: number): void => void forgetReceipts.run(before),
    askLater: (_tx: Tx, posReference: string, at: number): void => void delayRequests.run(at, posReference),
    /** Makes all unsigned receipts due. */
    askNow: (_tx: Tx): void => void askNow.run(),
    listOpenReceipts: (): OpenReceiptRow[] => openReceipts.all().map(read).filter(isOpenReceipt),
    countOpenReceipts: (): number => countOpenReceipts.get() ?? 0,
    /** Whether a manager has settled the receipt of this number. */
    isDismissed: (posReference: string, ncf: string | null): boolean => dismissed.get(posReference, ncf) === 1,
    countSigning: (): number => count.get("signing") ?? 0,
    listContingency: (): FiscalRequestRow[] => listByState.all("contingency").map(read),
    /** Orders without a number or a signed receipt, or with an incorrect receipt. */
    listUnsettled: (): FiscalRequestRow[] =>
      [...["pending", "failed", "signing"].flatMap((state) => listByState.all(state)), ...openReceipts.all()].map(read),
    listFailed: (): FiscalRequestRow[] => listByState.all("failed").map(read),
  };
}

function read(row: Row): FiscalRequestRow {
  return { ...row, error: readSentenceOrNull(row.error) };
}
