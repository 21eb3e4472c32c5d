import { sentence, type FiscalRequest, type Payment, type Sentence, type TerminalSnapshot } from "@comanda/protocol";
import { paymentsIn } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";
import { readSentenceOrNull, sentenceColumn } from "../../db/rows/sentence-column.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import { readRow } from "../../db/rows/read-row.ts";
import type { HubError } from "../../platform/errors.ts";
import type { TillBook } from "../../till/till-book.ts";
import { identitiesOf, identityOf, type PaymentMutation } from "./payment-identities.ts";
import type { Writer } from "../writer.ts";

export interface UnappliedPayment {
  id: number;
  /** The id that the payment keeps across retries. */
  identity: string;
  posReference: string;
  terminalId: string;
  userName: string;
  errorCode: string;
  error: string;
  payments: Payment[];
  /** The mutation as the terminal sent it, without tokens; null if it cannot be read. */
  mutation: StoredMutation | null;
  /** When the terminal queued the payment, ISO 8601; null if unknown. */
  takenAt: string | null;
  at: number;
  settledAt: number | null;
  settledBy: string | null;
  settledNote: Sentence | null;
}

/** Whether a user without permission to take money sent the payment. */
export function isUnauthorized({ errorCode }: Pick<UnappliedPayment, "errorCode">): boolean {
  return errorCode === "FORBIDDEN";
}

/** A payment mutation without tokens. */
type StoredMutation = PaymentMutation & { snapshot?: TerminalSnapshot | undefined; fiscal?: FiscalRequest | undefined };

interface Row extends Omit<UnappliedPayment, "payments" | "mutation" | "takenAt" | "settledNote"> {
  body: string;
  settledNote: string | null;
  isSound: 0 | 1;
}

export type UnappliedPaymentStore = ReturnType<typeof createUnappliedPaymentStore>;

// `mutation_id` contains the identity of the payment; for older clients that is the id of the mutation.
const columns = (db: Db): string => `
  id, mutation_id AS identity, pos_reference AS posReference, terminal_id AS terminalId, user_name AS userName, error_code AS errorCode, error,
  body, at, settled_at AS settledAt, settled_by AS settledBy, settled_note AS settledNote,
  ${soundRow(db, "unapplied_payments")} AS isSound`;

/**
 * Stores payments that were taken but could not be applied, until a manager settles them. `onDamage` is called for a row that
 * does not match its checksum; such a payment is still listed, since money must not disappear from the list.
 */
export function createUnappliedPaymentStore(
  db: Db,
  onDamage: () => void,
  /** Records which till has the money. */
  book: Pick<TillBook, "kept" | "settled">,
) {
  const COLUMNS = columns(db);
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO unapplied_payments (mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at)
    VALUES (@identity, @posReference, @terminalId, @userName, @errorCode, @error, @body, @at)`);
  const replace = db.prepare<Record<string, unknown>>(`
    UPDATE unapplied_payments SET pos_reference = @posReference, terminal_id = @terminalId, user_name = @userName,
      error_code = @errorCode, error = @error, body = @body
    WHERE mutation_id = @identity AND settled_at IS NULL`);
  const findByIdentity = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM unapplied_payments WHERE mutation_id = ?`);
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
  const listByOrder = db.prepare<[string], Row>(
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
    /** Stores a payment, or updates it with the latest attempt. Returns false if it was already stored. */
    save(tx: Tx, mutation: PaymentMutation, writer: Writer, refusal: HubError): boolean {
      const row = identitiesOf(mutation).flatMap((each) => findByIdentity.get(each) ?? [])[0];
      const before = row === undefined ? null : present(row);
      const { actor: _, approval: __, ...content } = mutation;
      const snapshot = before?.mutation?.snapshot;
      const body = JSON.stringify({ ...(snapshot !== undefined && { snapshot }), ...content });
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
    findByIdentity: (identity: string): UnappliedPayment | null => readRow(findByIdentity.get(identity), present),
    /** Whether a manager has settled this payment. */
    isSettled: (identity: string): boolean => findSettled.get(identity) !== undefined,
    /** Counts open payments from this terminal or this user that were refused for lack of permission. */
    countUnauthorized: (terminalId: string, userName: string): number =>
      countUnauthorized.get({ terminalId, userName }) ?? 0,
    countOpen: (): number => countOpen.get()?.n ?? 0,
    listOpen: (): UnappliedPayment[] => listOpen.all().map(present),
    countSettled: (): number => countSettled.get()?.n ?? 0,
    /** Settled payments below an id, newest first. */
    listSettled: (below: number, limit: number): UnappliedPayment[] => listSettled.all({ below, limit }).map(present),
    listByOrder: (posReference: string): UnappliedPayment[] => listByOrder.all(posReference).map(present),
    get: (id: number): UnappliedPayment | null => readRow(get.get(id), present),
    /** Returns false if the payment does not exist or is already settled. */
    settle(tx: Tx, id: number, by: string, note: Sentence): boolean {
      const row = get.get(id);
      if (settle.run({ id, at: tx.now, by, note: sentenceColumn(note) }).changes !== 1) return false;
      if (row !== undefined) book.settled(tx, row.identity, row.posReference, by);
      return true;
    },
    settleIdentity: (tx: Tx, identity: string, by: string): void =>
      void settleIdentity.run({ identity, at: tx.now, by, note: sentenceColumn(sentence("note_applied_later")) }),
  };

  function present({ body, isSound, settledNote, ...row }: Row): UnappliedPayment {
    if (isSound === 0) onDamage();
    return { ...row, settledNote: readSentenceOrNull(settledNote), ...readBodyParts(body) };
  }
}

/** Reads a stored payment. Damaged JSON must not break the whole list: the payment then has no amounts. */
function readBodyParts(body: string): Pick<UnappliedPayment, "mutation" | "payments" | "takenAt"> {
  try {
    const mutation = JSON.parse(body) as StoredMutation;
    return { mutation, payments: paymentsIn(mutation), takenAt: mutation.queuedAt ?? null };
  } catch {
    return { mutation: null, payments: [], takenAt: null };
  }
}
