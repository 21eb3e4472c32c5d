import type { BackOfficeLine } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

export interface CreditNoteToStore {
  orderId: number;
  ncf: string;
  /** The number of the order that the note corrects. */
  modifies: string;
  lines: BackOfficeLine[];
  totalCents: number;
  userId: number;
  nowMs: number;
}

/** At most one per order. */
export function createCreditNotes(db: Db) {
  const select = db.prepare<[number], { id: number }>("SELECT id FROM credit_note WHERE order_id = ?");
  const insert = db.prepare(`
    INSERT INTO credit_note (order_id, ncf, modifies, lines, total_cents, user_id, created_at)
    VALUES (@orderId, @ncf, @modifies, @lines, @totalCents, @userId, @nowMs)`);

  return {
    existsFor: (orderId: number): boolean => select.get(orderId) !== undefined,

    /** The new note's id. */
    add: (note: CreditNoteToStore): number =>
      Number(insert.run({ ...note, lines: JSON.stringify(note.lines) }).lastInsertRowid),
  };
}
