import type { BackOfficeLine, CreditNoteAnswer, CreditNoteRequest, RefundLine } from "@comanda/protocol";
import {
  chargedQuantity,
  equalsWithin,
  type LineQuantity,
  refundableLines,
  refundAmount,
  type Sale,
  type SoldLine,
  sum,
  toCents,
} from "@comanda/rules";
import { transact } from "../db/open.ts";
import { Refusal } from "../refusal.ts";
import { creditMethods } from "../seed/catalog.ts";
import type { CreditNote } from "../stores/credit-notes.ts";
import type { User } from "../stores/users.ts";
import { makeNote, presentNote, totalOf } from "./credit-order.ts";
import { contentOf } from "./order-content.ts";
import { mustFind, type OrderDeps } from "./place-order.ts";

type LinesRequest = CreditNoteRequest & { lines: RefundLine[] };

/**
 * Creates a credit note for lines of an order, voided or not: our extension. An order may have several until it is fully
 * credited. A repeat with the same `refundId` returns its note.
 * Throws, in this order: NOT_FOUND, ORDER_HAS_NO_NCF, VALIDATION_ERROR (a `refundId` of other lines), ALREADY_CREDITED,
 * VALIDATION_ERROR (no such line, nothing to credit), TOTALS_MISMATCH, NCF_EXHAUSTED.
 */
export function creditLines(deps: OrderDeps, user: User, request: LinesRequest): CreditNoteAnswer {
  const { db, stores } = deps;
  const { pos_reference, lines: requested, refundId = null, total, type } = request;
  return transact(db, () => {
    const order = mustFind(stores, pos_reference);
    if (order.ncf === null) throw new Refusal("ORDER_HAS_NO_NCF", `the order ${pos_reference} has no NCF`);
    const existing = refundId === null ? null : stores.creditNotes.findByRefund(refundId);
    if (existing !== null) return presentNote(pos_reference, requireSameRefund(existing, order.id, requested));

    const { lines, totals } = contentOf(order);
    const sale: Sale = { lines: lines.map(soldLine), totals };
    const before = stores.creditNotes.listByOrder(order.id).flatMap((note) => note.asked ?? wholeOf(sale));
    requireRefundable(pos_reference, sale, before, requested);
    const amount = refundAmount(sale, requested, before);
    if (amount <= 0) throw new Refusal("VALIDATION_ERROR", "lines: these lines cost nothing");
    if (total !== undefined && !equalsWithin(total, amount, 0)) {
      throw new Refusal("TOTALS_MISMATCH", `the total is ${total}, but the lines come to ${amount}`);
    }
    const credited = requested.map((each) => creditedLine(lines, sale, before, each));
    const content = { lines: credited, totalCents: toCents(amount), userId: user.id, refundId, asked: requested };
    restoreCredit(deps, contentOf(order), request);
    return makeNote(deps, { id: order.id, ncf: order.ncf, pos_reference, type }, content);
  });
}

/** A forwarded line may lack its id and total. */
function soldLine(line: BackOfficeLine, index: number): SoldLine {
  const { quantity, voided, voidedQuantity } = line;
  return { id: idOf(line, index), quantity, voided, voidedQuantity, total: totalOf(line) };
}

function idOf({ id }: BackOfficeLine, index: number): string {
  return String(id ?? index);
}

function wholeOf({ lines }: Sale): LineQuantity[] {
  return lines.map((line) => ({ lineId: line.id, quantity: chargedQuantity(line) }));
}

function requireSameRefund(note: CreditNote, orderId: number, requested: readonly RefundLine[]): CreditNote {
  if (note.orderId === orderId && JSON.stringify(note.asked) === JSON.stringify(requested)) return note;
  throw new Refusal("VALIDATION_ERROR", `refundId: ${note.ncf} was made with it for something else`);
}

function requireRefundable(
  posReference: string,
  sale: Sale,
  before: readonly LineQuantity[],
  requested: readonly RefundLine[],
): void {
  const refundable = refundableLines(sale, before);
  if (refundable.length === 0) throw new Refusal("ALREADY_CREDITED", `all of the order ${posReference} is credited`);
  for (const { lineId, quantity } of requested) {
    if (!sale.lines.some(({ id }) => id === lineId)) {
      throw new Refusal("VALIDATION_ERROR", `lines: the order ${posReference} has no line ${lineId}`);
    }
    const available = refundable.find((each) => each.lineId === lineId)?.quantity ?? 0;
    if (quantity > available)
      throw new Refusal("ALREADY_CREDITED", `of line ${lineId} only ${available} can be credited`);
  }
}

function creditedLine(
  lines: readonly BackOfficeLine[],
  sale: Sale,
  before: readonly LineQuantity[],
  { lineId, quantity }: RefundLine,
): BackOfficeLine {
  const {
    voidedQuantity: _,
    taxAmount: _tax,
    ...line
  } = lines.find((each, index) => idOf(each, index) === lineId) ?? {
    quantity,
  };
  return { ...line, quantity, total: refundAmount(sale, [{ lineId, quantity }], before) };
}

/** Reduces the debt of the customer who paid on credit by the amount refunded on credit. */
function restoreCredit(
  { stores }: OrderDeps,
  { customerId, payments }: ReturnType<typeof contentOf>,
  { refund = [] }: CreditNoteRequest,
): void {
  const amount = sum(refund.filter(({ methodId }) => creditMethods.has(String(methodId))).map((each) => each.amount));
  const debtorId = payments.find(({ methodId }) => creditMethods.has(String(methodId)))?.customerId ?? customerId;
  const customer = stores.customers.get(debtorId);
  if (customer !== null && amount > 0) stores.customers.useCredit(customer, -toCents(amount));
}
