import type { LateEntry, UnassignedPayment } from "@comanda/protocol";
import type { TillMoney } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { COUNTED_SESSION } from "../db/rows/counted-session.ts";
import { isoTime } from "../platform/world.ts";

/** One movement of money and the shift that it belongs to. */
export interface MoneyRow extends Omit<TillMoney, "isRefund" | "currency"> {
  id: number;
  /** Identity of its payment across retries; for one of several, with its index. */
  identity: string;
  posReference: string;
  kind: UnassignedPayment["kind"];
  currency: string | null;
  /** The waiter of the check. */
  staffName: string | null;
  userName: string;
  terminalId: string;
  at: number;
  shiftId: string | null;
  queuedShiftId: string | null;
  /** Not applied to any check; waiting for a manager. */
  isKept: 0 | 1;
  /** Whether the check was settled with it. */
  isSettling: 0 | 1;
  isLate: 0 | 1;
  assignedBy: string | null;
  assignedAt: number | null;
}

export type NewMoney = Omit<MoneyRow, "id" | "at" | "isLate" | "assignedBy" | "assignedAt">;

export type MoneyStore = ReturnType<typeof createMoneyStore>;

/** Most payments without a shift in one list. */
const LISTED = 1_000;

/** Stores which drawer holds the money of checks. */
export function createMoneyStore(db: Db) {
  const COLUMNS = `id, identity, pos_reference AS posReference, kind, method_id AS methodId, amount, tip, drawer, currency,
    foreign_amount AS "foreign", staff_name AS staffName, user_name AS userName, terminal_id AS terminalId, at,
    shift_id AS shiftId, queued_shift_id AS queuedShiftId, is_kept AS isKept, is_settling AS isSettling,
    is_late AS isLate, assigned_by AS assignedBy, assigned_at AS assignedAt`;
  const insert = db.prepare<NewMoney & { at: number }>(`
    INSERT INTO till_money (identity, pos_reference, kind, method_id, amount, tip, drawer, currency, foreign_amount,
      staff_name, user_name, terminal_id, at, session, shift_id, queued_shift_id, is_kept, is_settling)
    VALUES (@identity, @posReference, @kind, @methodId, @amount, @tip, @drawer, @currency, @foreign,
      @staffName, @userName, @terminalId, @at, ${COUNTED_SESSION}, @shiftId, @queuedShiftId, @isKept, @isSettling)`);
  const get = db.prepare<[number], MoneyRow>(`SELECT ${COLUMNS} FROM till_money WHERE id = ?`);
  const listByOrder = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_by_order WHERE pos_reference = ? ORDER BY id`);
  const listByShift = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_by_shift WHERE shift_id = ? ORDER BY id`);
  // Compares row ids: the clock may have been set back since the first till was added.
  const listUnassigned = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_unassigned
    WHERE shift_id IS NULL AND method_id <> '' AND (session = ? OR id > (SELECT min(money_before) FROM tills))
    ORDER BY at DESC, id DESC LIMIT ${LISTED}`);
  const findUnassigned = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_unassigned
    WHERE shift_id IS NULL AND identity = ? AND kind = 'payment' LIMIT 1`);
  const findAssigned = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money WHERE identity = ? AND kind = 'payment' LIMIT 1`);
  const listUnassignedBySession = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_unassigned WHERE shift_id IS NULL AND session = ?`);
  // Kept money counts in the session in which it is decided on: its check is paid in that, or it is given back.
  const adopt = db.prepare<Pick<MoneyRow, "id" | "identity" | "isKept" | "isSettling">>(`
    UPDATE till_money SET identity = @identity, is_kept = @isKept, is_settling = @isSettling,
      session = CASE WHEN is_kept > @isKept THEN ${COUNTED_SESSION} ELSE session END WHERE id = @id`);
  const assign = db.prepare<{ id: number; shiftId: string; isLate: 0 | 1; by: string; at: number }>(`
    UPDATE till_money SET shift_id = @shiftId, is_late = @isLate, assigned_by = @by, assigned_at = @at
    WHERE id = @id AND shift_id IS NULL`);

  return {
    /** Finds a movement by its `paymentId` of `presentUnassigned`. */
    find: (paymentId: string): MoneyRow | null =>
      (isIdentity(paymentId)
        ? (findUnassigned.get(paymentId) ?? findAssigned.get(paymentId))
        : /^\d{1,15}$/.test(paymentId) && get.get(Number(paymentId))) || null,
    listByOrder: (posReference: string): MoneyRow[] => listByOrder.all(posReference),
    /** All money of a shift, including late entries. */
    listByShift: (shiftId: string): MoneyRow[] => listByShift.all(shiftId),
    /** The newest money without a shift: all since tills exist, of older money that of a POS session. */
    listUnassigned: (session: string): MoneyRow[] => listUnassigned.all(session),
    listUnassignedBySession: (session: string): MoneyRow[] => listUnassignedBySession.all(session),
    add: (tx: Tx, row: NewMoney): void => void insert.run({ ...row, at: tx.now }),
    /** Assigns money to another payment, or marks it as kept or as applied to its check. */
    mark: (_tx: Tx, row: Pick<MoneyRow, "id" | "identity" | "isKept" | "isSettling">): void => void adopt.run(row),
    assign: (tx: Tx, id: number, shiftId: string, isLate: boolean, by: string): void =>
      void assign.run({ id, shiftId, isLate: isLate ? 1 : 0, by, at: tx.now }),
  };
}

export function tillMoneyOf({ kind, methodId, amount, tip, drawer, currency, foreign }: MoneyRow): TillMoney {
  return { methodId, amount, tip, isRefund: kind === "refund", drawer, currency: currency ?? undefined, foreign };
}

/** Whether a text is a `tenderId` or `paymentId` given by a terminal, maybe with an index. */
function isIdentity(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(#\d+)?$/i.test(text);
}

/** Payments use their own id. Movements without an id, or with one that a payment already uses, use the row id. */
export function presentUnassigned(row: MoneyRow): UnassignedPayment {
  const { id, identity, posReference, kind, methodId, amount, tip, at, userName, terminalId, queuedShiftId } = row;
  const { currency, foreign } = row;
  return {
    paymentId: kind === "payment" && isIdentity(identity) ? identity : String(id),
    posReference,
    kind,
    methodId,
    ...(currency !== null && { currency, foreignAmount: foreign }),
    amount,
    tip,
    at: isoTime(at),
    takenBy: userName,
    terminalId,
    ...(queuedShiftId !== null && { queuedShiftId }),
  };
}

export function presentLate(row: MoneyRow): LateEntry {
  return { ...presentUnassigned(row), assignedBy: row.assignedBy ?? "", assignedAt: isoTime(row.assignedAt ?? row.at) };
}
