import type { LateEntry, LoosePayment } from "@comanda/protocol";
import type { TillMoney } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { isoTime } from "../platform/world.ts";

/** One movement of money, with the shift that it belongs to. */
export interface MoneyRow extends Omit<TillMoney, "isRefund" | "currency"> {
  id: number;
  /** What its payment is known by through every retry; of one of several, with its place among them. */
  identity: string;
  posReference: string;
  kind: LoosePayment["kind"];
  currency: string | null;
  /** Whose check it is. */
  staffName: string | null;
  userName: string;
  terminalId: string;
  at: number;
  shiftId: string | null;
  queuedShiftId: string | null;
  /** It is on no check, and waits for a manager. */
  isKept: 0 | 1;
  /** The check was paid with it. */
  isSettling: 0 | 1;
  isLate: 0 | 1;
  assignedBy: string | null;
  assignedAt: number | null;
}

export type NewMoney = Omit<MoneyRow, "id" | "at" | "isLate" | "assignedBy" | "assignedAt">;

export type MoneyStore = ReturnType<typeof createMoneyStore>;

/** Payments without a shift that one list names. */
const LISTED = 1_000;

/** In which drawer the money of checks lies. */
export function createMoneyStore(db: Db) {
  const COLUMNS = `id, identity, pos_reference AS posReference, kind, method_id AS methodId, amount, tip, drawer, currency,
    foreign_amount AS "foreign", staff_name AS staffName, user_name AS userName, terminal_id AS terminalId, at,
    shift_id AS shiftId, queued_shift_id AS queuedShiftId, is_kept AS isKept, is_settling AS isSettling,
    is_late AS isLate, assigned_by AS assignedBy, assigned_at AS assignedAt`;
  const insert = db.prepare<NewMoney & { at: number }>(`
    INSERT INTO till_money (identity, pos_reference, kind, method_id, amount, tip, drawer, currency, foreign_amount,
      staff_name, user_name, terminal_id, at, shift_id, queued_shift_id, is_kept, is_settling)
    VALUES (@identity, @posReference, @kind, @methodId, @amount, @tip, @drawer, @currency, @foreign,
      @staffName, @userName, @terminalId, @at, @shiftId, @queuedShiftId, @isKept, @isSettling)`);
  const get = db.prepare<[number], MoneyRow>(`SELECT ${COLUMNS} FROM till_money WHERE id = ?`);
  const ofOrder = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_by_order WHERE pos_reference = ? ORDER BY id`);
  const ofShift = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_by_shift WHERE shift_id = ? ORDER BY id`);
  // By rows, not by the clock, which may have been put back since the first till was added.
  const loose = db.prepare<[number], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_loose
    WHERE shift_id IS NULL AND method_id <> '' AND (at >= ? OR id > (SELECT min(money_before) FROM tills))
    ORDER BY at DESC, id DESC LIMIT ${LISTED}`);
  const looseOf = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_loose
    WHERE shift_id IS NULL AND identity = ? AND kind = 'payment' LIMIT 1`);
  const assignedOf = db.prepare<[string], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money WHERE identity = ? AND kind = 'payment' LIMIT 1`);
  const looseSince = db.prepare<[number], MoneyRow>(`
    SELECT ${COLUMNS} FROM till_money INDEXED BY till_money_loose WHERE shift_id IS NULL AND at >= ?`);
  const adopt = db.prepare<Pick<MoneyRow, "id" | "identity" | "isKept" | "isSettling">>(
    "UPDATE till_money SET identity = @identity, is_kept = @isKept, is_settling = @isSettling WHERE id = @id",
  );
  const assign = db.prepare<{ id: number; shiftId: string; isLate: 0 | 1; by: string; at: number }>(`
    UPDATE till_money SET shift_id = @shiftId, is_late = @isLate, assigned_by = @by, assigned_at = @at
    WHERE id = @id AND shift_id IS NULL`);

  return {
    /** By what `presentLoose` calls it. */
    find: (paymentId: string): MoneyRow | null =>
      (isIdentity(paymentId)
        ? (looseOf.get(paymentId) ?? assignedOf.get(paymentId))
        : /^\d{1,15}$/.test(paymentId) && get.get(Number(paymentId))) || null,
    ofOrder: (posReference: string): MoneyRow[] => ofOrder.all(posReference),
    /** What belongs to a shift, and what came late. */
    ofShift: (shiftId: string): MoneyRow[] => ofShift.all(shiftId),
    /** The newest of what belongs to no shift: since there are tills, and before that since a time, ms since 1970. */
    loose: (since: number): MoneyRow[] => loose.all(since),
    looseSince: (since: number): MoneyRow[] => looseSince.all(since),
    add: (tx: Tx, row: NewMoney): void => void insert.run({ ...row, at: tx.now }),
    /** Marks money as that of another payment, as kept, or as on its check. */
    mark: (_tx: Tx, row: Pick<MoneyRow, "id" | "identity" | "isKept" | "isSettling">): void => void adopt.run(row),
    assign: (tx: Tx, id: number, shiftId: string, isLate: boolean, by: string): void =>
      void assign.run({ id, shiftId, isLate: isLate ? 1 : 0, by, at: tx.now }),
  };
}

export function tillMoneyOf({ kind, methodId, amount, tip, drawer, currency, foreign }: MoneyRow): TillMoney {
  return { methodId, amount, tip, isRefund: kind === "refund", drawer, currency: currency ?? undefined, foreign };
}

/** The `tenderId` or `paymentId` that a terminal gave it, with its place among those that came together. */
function isIdentity(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(#\d+)?$/i.test(text);
}

/** A payment goes by its own identity; whatever has none, or shares it with a payment, by the number of its row. */
export function presentLoose(row: MoneyRow): LoosePayment {
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
  return { ...presentLoose(row), assignedBy: row.assignedBy ?? "", assignedAt: isoTime(row.assignedAt ?? row.at) };
}
