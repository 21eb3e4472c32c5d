import { said, type FiscalRequest, type Payment, type Said, type TerminalSnapshot } from "@comanda/protocol";
import { paymentsIn } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";
import { readSaidOrNull, saidColumn } from "../../db/rows/said-column.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import { readRow } from "../../db/rows/read-row.ts";
import type { HubError } from "../../platform/errors.ts";
import type { TillBook } from "../../till/till-book.ts";
import { identitiesOf, identityOf, type PaymentMutation } from "./payment-identities.ts";
import type { Writer } from "../writer.ts";

export interface UnappliedPayment {
  id: number;
  /** What the payment is known by through every retry. */
  identity: string;
  posReference: string;
  terminalId: string;
  userName: string;
  errorCode: string;
  error: string;
  payments: Payment[];
  /** As the terminal sent it; null where that cannot be read any more. */
  mutation: KeptMutation | null;
  /** When the terminal queued it, ISO 8601, if it said so. */
  takenAt: string | null;
  at: number;
  settledAt: number | null;
  settledBy: string | null;
  settledNote: Said | null;
}

/** Whether it came under somebody who may take no money. */
export function isUnauthorized({ errorCode }: Pick<UnappliedPayment, "errorCode">): boolean {
  return errorCode === "FORBIDDEN";
}

/** Without the tokens of people. */
type KeptMutation = PaymentMutation & { snapshot?: TerminalSnapshot | undefined; fiscal?: FiscalRequest | undefined };

interface Row extends Omit<UnappliedPayment, "payments" | "mutation" | "takenAt" | "settledNote"> {
  body: string;
  settledNote: string | null;
  isSound: 0 | 1;
}

export type UnappliedPaymentStore = ReturnType<typeof createUnappliedPaymentStore>;

// The column is named for what an older client knows its payment by: the mutation that brought it.
const columns = (db: Db): string => `
  id, mutation_id AS identity, pos_reference AS posReference, terminal_id AS terminalId, user_name AS userName, error_code AS errorCode, error,
  body, at, settled_at AS settledAt, settled_by AS settledBy, settled_note AS settledNote,
  ${soundRow(db, "unapplied_payments")} AS isSound`;

/**
 * Money that was taken but could not be applied: kept until a manager settles it. `onDamage` is called for a row that does
 * not match its checksum; it is shown all the same, since money must not vanish from a list.
 */
export function createUnappliedPaymentStore(
  db: Db,
  onDamage: () => void = () => {},
  /** In which drawer the money lies. */
  book: Pick<TillBook, "kept" | "settled"> = noBook,
) {
  const COLUMNS = columns(db);
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO unapplied_payments (mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at)
    VALUES (@identity, @posReference, @terminalId, @userName, @errorCode, @error, @body, @at)`);
  const replace = db.prepare<Record<string, unknown>>(`
    UPDATE unapplied_payments SET pos_reference = @posReference, terminal_id = @terminalId, user_name = @userName,
      error_code = @errorCode, error = @error, body = @body
    WHERE mutation_id = @identity AND settled_at IS NULL`);
  const ofIdentity = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM unapplied_payments WHERE mutation_id = ?`);
  const findSettled = db.prepare<[string], { id: number }>(
    "SELECT id FROM unapplied_payments WHERE mutation_id = ? AND settled_at IS NOT NULL",
  );
  const countOpen = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM unapplied_payments WHERE settled_at IS NULL",
  );
  const countUnauthorized = db
    .prepare<{ terminalId: string; userName: string }, number>(`
      SELECT count(*) FROM unapplied_payments INDEXED BY unapplied_payment_open
      WHERE settled_at IS NULL AND error_code = 'FORBIDDEN' AND (terminal_id = @terminalId OR user_name = @userName)`)
    .pluck();
  const listOpen = db.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM unapplied_payments WHERE settled_at IS NULL ORDER BY id`,
  );
  const ofOrder = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM unapplied_payments WHERE pos_reference = ? ORDER BY id`,
  );
  const listSettled = db.prepare<{ below: number; limit: number }, Row>(`
    SELECT ${COLUMNS} FROM unapplied_payments WHERE settled_at IS NOT NULL AND id < @below ORDER BY id DESC LIMIT @limit`);
  const countSettled = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM unapplied_payments WHERE settled_at IS NOT NULL",
  );
  const get = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM unapplied_payments WHERE id = ?`);
  const settle = db.prepare<{ id: number; at: number; by: string; note: string }>(`
    UPDATE unapplied_payments SET settled_at = @at, settled_by = @by, settled_note = @note
    WHERE id = @id AND settled_at IS NULL`);
  const settleIdentity = db.prepare<{ identity: string; at: number; by: string; note: string }>(`
    UPDATE unapplied_payments SET settled_at = @at, settled_by = @by, settled_note = @note
    WHERE mutation_id = @identity AND settled_at IS NULL`);

  return {
    /** Keeps a payment once, as its last attempt brought it. False when it was kept before. */
    save(tx: Tx, mutation: PaymentMutation, writer: Writer, refusal: HubError): boolean {
      const row = identitiesOf(mutation).flatMap((each) => ofIdentity.get(each) ?? [])[0];
      const before = row === undefined ? null : present(row);
      const { actor: _, approval: __, ...kept } = mutation;
      const snapshot = before?.mutation?.snapshot;
      const body = JSON.stringify({ ...(snapshot !== undefined && { snapshot }), ...kept });
      (before === null ? insert : replace).run({
        identity: before?.identity ?? identityOf(mutation),
        posReference: mutation.posReference,
        terminalId: writer.terminalId,
        userName: writer.userName,
        errorCode: refusal.code,
        error: refusal.message,
        body,
        at: tx.now,
      });
      if (before === null) {
        const { terminalId, userName } = writer;
        const takenAt = mutation.queuedAt === undefined ? null : Date.parse(mutation.queuedAt);
        const { posReference } = mutation;
        book.kept(tx, {
          identity: identityOf(mutation),
          posReference,
          terminalId,
          userName,
          payments: paymentsIn(mutation),
          takenAt,
        });
      }
      return before === null;
    },
    ofIdentity: (identity: string): UnappliedPayment | null => readRow(ofIdentity.get(identity), present),
    /** Whether a manager has settled this payment. */
    isSettled: (identity: string): boolean => findSettled.get(identity) !== undefined,
    /** Open ones that came from a device, or from a person, under somebody who may take no money. */
    countUnauthorized: (terminalId: string, userName: string): number =>
      countUnauthorized.get({ terminalId, userName }) ?? 0,
    countOpen: (): number => countOpen.get()?.n ?? 0,
    listOpen: (): UnappliedPayment[] => listOpen.all().map(present),
    countSettled: (): number => countSettled.get()?.n ?? 0,
    /** Settled ones below an id, newest first. */
    listSettled: (below: number, limit: number): UnappliedPayment[] => listSettled.all({ below, limit }).map(present),
    ofOrder: (posReference: string): UnappliedPayment[] => ofOrder.all(posReference).map(present),
    get: (id: number): UnappliedPayment | null => readRow(get.get(id), present),
    /** False when it was settled before, or never was. */
    settle(tx: Tx, id: number, by: string, note: Said): boolean {
      const row = get.get(id);
      if (settle.run({ id, at: tx.now, by, note: saidColumn(note) }).changes !== 1) return false;
      if (row !== undefined) book.settled(tx, row.identity, row.posReference, by);
      return true;
    },
    settleIdentity: (tx: Tx, identity: string, by: string): void =>
      void settleIdentity.run({ identity, at: tx.now, by, note: saidColumn(said("note_applied_later")) }),
  };

  function present({ body, isSound, settledNote, ...row }: Row): UnappliedPayment {
    if (isSound === 0) onDamage();
    return { ...row, settledNote: readSaidOrNull(settledNote), ...readKept(body) };
  }
}

/** A damaged text must not make the whole list fail: then the payment is shown without its amounts. */
function readKept(body: string): Pick<UnappliedPayment, "mutation" | "payments" | "takenAt"> {
  try {
    const mutation = JSON.parse(body) as KeptMutation;
    return { mutation, payments: paymentsIn(mutation), takenAt: mutation.queuedAt ?? null };
  } catch {
    return { mutation: null, payments: [], takenAt: null };
  }
}

const noBook: Pick<TillBook, "kept" | "settled"> = { kept: () => undefined, settled: () => undefined };
