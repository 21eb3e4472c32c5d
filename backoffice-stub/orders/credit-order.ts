import type { BackOfficeLine, CreditNoteAnswer, CreditNoteRequest } from "@comanda/protocol";
import { chargedQuantity, fromCents, isElectronic, priceLine, sumOfLines, toCents } from "@comanda/rules";
import { transact } from "../db/open.ts";
import { Refusal } from "../refusal.ts";
import type { CreditNote, CreditNoteToStore } from "../stores/credit-notes.ts";
import type { User } from "../stores/users.ts";
import { contentOf } from "./order-content.ts";
import { mustFind, type OrderDeps } from "./place-order.ts";
import { takeNextNcf } from "./take-next-ncf.ts";

/**
 * Creates a partial credit note for the lines that are not voided, with its own number: E34 for an E-series order, otherwise
 * B04, or the requested type. A partly voided line is credited with the rest.
 * Throws, in this order: NOT_FOUND, ORDER_HAS_NO_NCF, ALREADY_CREDITED, NOTHING_VOIDED, NCF_EXHAUSTED.
 */
export function creditOrder(
  { db, stores, world }: OrderDeps,
  user: User,
  { pos_reference, type }: CreditNoteRequest,
): CreditNoteAnswer {
  return transact(db, () => {
    const order = mustFind(stores, pos_reference);
    if (order.ncf === null) throw new Refusal("ORDER_HAS_NO_NCF", `the order ${pos_reference} has no NCF`);
    if (stores.creditNotes.listByOrder(order.id).length > 0) {
      throw new Refusal("ALREADY_CREDITED", `the order ${pos_reference} already has a credit note`);
    }
    const all = contentOf(order).lines;
    const lines = all.filter((line) => line.voided !== true);
    if (lines.length === all.length && !all.some((line) => (line.voidedQuantity ?? 0) > 0)) {
      throw new Refusal("NOTHING_VOIDED", `the order ${pos_reference} has no voided line`);
    }
    const totalCents = toCents(sumOfLines(lines.map((line) => ({ total: totalOf(line) }))).total);
    const note = { lines, totalCents, userId: user.id, refundId: null, asked: null };
    return makeNote({ db, stores, world }, { id: order.id, ncf: order.ncf, pos_reference, type }, note);
  });
}

/** Stores a note with the next number of its type. Call it inside a transaction. */
export function makeNote(
  { stores, world }: OrderDeps,
  order: { id: number; ncf: string; pos_reference: string; type?: string | undefined },
  content: Pick<CreditNoteToStore, "lines" | "totalCents" | "userId" | "refundId" | "asked">,
): CreditNoteAnswer {
  const { id: orderId, ncf: modifies, pos_reference } = order;
  const type = order.type ?? (isElectronic(modifies) ? "E34" : "B04");
  const { ncf } = takeNextNcf(stores, world, type, { holder: "credit_note", posReference: pos_reference, rnc: null });
  const note = { ...content, orderId, ncf, modifies, nowMs: world.now() };
  return presentNote(pos_reference, { ...note, id: stores.creditNotes.add(note) });
}

export function presentNote(
  pos_reference: string,
  { id, ncf, modifies, lines, totalCents }: Omit<CreditNote, "nowMs">,
): CreditNoteAnswer {
  return { id, pos_reference, ncf, modifies, lines, total: fromCents(totalCents) };
}

/** A forwarded line may lack its total. */
export function totalOf({ total, quantity, voidedQuantity = 0, unitPrice = 0 }: BackOfficeLine): number {
  const charged = voidedQuantity > 0 ? Math.max(0, chargedQuantity({ quantity, voidedQuantity })) : quantity;
  return total ?? priceLine({ unitPrice, quantity: charged, taxes: [] }, { orderType: "" }).total;
}
