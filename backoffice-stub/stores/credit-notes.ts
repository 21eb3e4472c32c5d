import { BackOfficeLine, RefundLine } from "@comanda/protocol";
import { z } from "zod";
import type { Db } from "../db/open.ts";

export interface CreditNoteToStore {
  orderId: number;
  ncf: string;
  /** The fiscal number of the order that the note corrects. */
  modifies: string;
  lines: BackOfficeLine[];
  totalCents: number;
  userId: number;
  nowMs: number;
  /** The caller's id of the refund, and the lines that it requested; null for a note of the whole order. */
  refundId: string | null;
  asked: RefundLine[] | null;
}

export interface CreditNote extends CreditNoteToStore {
  id: number;
}

export interface NoteOfOrder extends Pick<CreditNote, "ncf" | "refundId" | "totalCents"> {
  posReference: string;
}

interface Row extends Omit<CreditNote, "lines" | "asked"> {
  lines: string;
  asked: string | null;
}

/** All credit notes. */
export function createCreditNotes(db: Db) {
  const columns = `
    id, order_id AS orderId, ncf, modifies, lines, total_cents AS totalCents, user_id AS userId, created_at AS nowMs,
    refund_id AS refundId, asked`;
  const selectAll = db.prepare<[], NoteOfOrder>(`
    SELECT pos_reference AS posReference, ncf, refund_id AS refundId, total_cents AS totalCents
    FROM credit_note JOIN pos_order ON pos_order.id = order_id ORDER BY credit_note.id`);
  const selectByOrder = db.prepare<[number], Row>(`SELECT ${columns} FROM credit_note WHERE order_id = ? ORDER BY id`);
  const selectByRefund = db.prepare<[string], Row>(`SELECT ${columns} FROM credit_note WHERE refund_id = ?`);
  const insert = db.prepare(`
    INSERT INTO credit_note (order_id, ncf, modifies, lines, total_cents, user_id, created_at, refund_id, asked)
    VALUES (@orderId, @ncf, @modifies, @lines, @totalCents, @userId, @nowMs, @refundId, @asked)`);

  return {
    /** Sorted oldest first. */
    list: (): NoteOfOrder[] => selectAll.all(),

    /** Sorted oldest first. */
    listByOrder: (orderId: number): CreditNote[] => selectByOrder.all(orderId).map(read),

    findByRefund(refundId: string): CreditNote | null {
      const row = selectByRefund.get(refundId);
      return row === undefined ? null : read(row);
    },

    /** Returns the new note's id. */
    add({ lines, asked, ...note }: CreditNoteToStore): number {
      const row = { ...note, lines: JSON.stringify(lines), asked: asked === null ? null : JSON.stringify(asked) };
      return Number(insert.run(row).lastInsertRowid);
    },
  };
}

function read({ lines, asked, ...note }: Row): CreditNote {
  return {
    ...note,
    lines: z.array(BackOfficeLine).parse(JSON.parse(lines)),
    asked: asked === null ? null : z.array(RefundLine).parse(JSON.parse(asked)),
  };
}
