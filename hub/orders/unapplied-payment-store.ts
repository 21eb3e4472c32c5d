import type { TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { SEALED_PAYMENT, sealOf } from "../db/seal.ts";
import type { HubError } from "../platform/errors.ts";
import type { Writer } from "./writer.ts";

export interface UnappliedPayment {
  id: number;
  posReference: string;
  terminalId: string;
  userName: string;
  errorCode: string;
  error: string;
  payments: TerminalMessageOf<"ORDER_PAY">["payments"];
  ncf: string | null;
  /** When the terminal queued it, ISO 8601, if it said so. */
  takenAt: string | null;
  at: number;
  settledAt: number | null;
  settledBy: string | null;
  settledNote: string | null;
}

interface Row extends Omit<UnappliedPayment, "payments" | "ncf" | "takenAt"> {
  body: string;
  isSound: 0 | 1;
}

export type UnappliedPaymentStore = ReturnType<typeof createUnappliedPaymentStore>;

const COLUMNS = `
  id, pos_reference AS posReference, terminal_id AS terminalId, user_name AS userName, error_code AS errorCode, error,
  body, at, settled_at AS settledAt, settled_by AS settledBy, settled_note AS settledNote,
  checksum = ${sealOf.unapplied_payments} AS isSound`;

/**
 * Money that was taken but could not be applied: kept until a manager settles it. `onDamage` is called for a row that does
 * not match its checksum; it is shown all the same, since money must not vanish from a list.
 */
export function createUnappliedPaymentStore(db: Db, onDamage: () => void = () => {}) {
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO unapplied_payments (mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, checksum, at)
    VALUES (@mutationId, @posReference, @terminalId, @userName, @errorCode, @error, @body,
      seal(@mutationId, @posReference, @terminalId, @userName, @errorCode, @error, @body, @at, NULL, NULL, NULL), @at)
    ON CONFLICT (mutation_id) DO NOTHING`);
  const findSettled = db.prepare<[string], { id: number }>(
    "SELECT id FROM unapplied_payments WHERE mutation_id = ? AND settled_at IS NOT NULL",
  );
  const countOpen = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM unapplied_payments WHERE settled_at IS NULL",
  );
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
  const settle = db.prepare<{ id: number; at: number; by: string; note: string | null }>(`
    UPDATE unapplied_payments SET settled_at = @at, settled_by = @by, settled_note = @note,
      checksum = seal(${SEALED_PAYMENT}, @at, @by, @note)
    WHERE id = @id AND settled_at IS NULL`);
  const settleMutation = db.prepare<{ mutationId: string; at: number; by: string; note: string }>(`
    UPDATE unapplied_payments SET settled_at = @at, settled_by = @by, settled_note = @note,
      checksum = seal(${SEALED_PAYMENT}, @at, @by, @note)
    WHERE mutation_id = @mutationId AND settled_at IS NULL`);

  return {
    /** False when it was kept before. */
    save(tx: Tx, mutation: TerminalMessageOf<"ORDER_PAY">, writer: Writer, refusal: HubError): boolean {
      const body = JSON.stringify(mutation);
      const { changes } = insert.run({
        mutationId: mutation.mutationId,
        posReference: mutation.posReference,
        terminalId: writer.terminalId,
        userName: writer.userName,
        errorCode: refusal.code,
        error: refusal.message,
        body,
        at: tx.now,
      });
      return changes === 1;
    },
    /** Whether a manager has settled this payment. */
    isSettled: (mutationId: string): boolean => findSettled.get(mutationId) !== undefined,
    countOpen: (): number => countOpen.get()?.n ?? 0,
    listOpen: (): UnappliedPayment[] => listOpen.all().map(present),
    countSettled: (): number => countSettled.get()?.n ?? 0,
    /** Settled ones below an id, newest first. */
    listSettled: (below: number, limit: number): UnappliedPayment[] => listSettled.all({ below, limit }).map(present),
    ofOrder: (posReference: string): UnappliedPayment[] => ofOrder.all(posReference).map(present),
    get(id: number): UnappliedPayment | null {
      const row = get.get(id);
      return row === undefined ? null : present(row);
    },
    /** False when it was settled before, or never was. */
    settle: (tx: Tx, id: number, by: string, note: string | null): boolean =>
      settle.run({ id, at: tx.now, by, note }).changes === 1,
    settleMutation: (tx: Tx, mutationId: string, by: string): void =>
      void settleMutation.run({ mutationId, at: tx.now, by, note: "applied by a later attempt" }),
  };

  function present({ body, isSound, ...row }: Row): UnappliedPayment {
    if (isSound === 0) onDamage();
    const { payments, ncf = null, queuedAt: takenAt = null } = readPayment(body);
    return { ...row, payments, ncf, takenAt };
  }
}

type Payment = Pick<TerminalMessageOf<"ORDER_PAY">, "payments" | "ncf" | "queuedAt">;

/** A damaged text must not make the whole list fail: then the payment is shown without its amounts. */
function readPayment(body: string): Payment {
  try {
    return JSON.parse(body) as Payment;
  } catch {
    return { payments: [] };
  }
}
